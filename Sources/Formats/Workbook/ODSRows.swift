/// The rows of a sheet in an OpenDocument spreadsheet:
/// https://docs.oasis-open.org/office/OpenDocument/v1.3/os/part3-schema/OpenDocument-v1.3-os-part3-schema.html
final class ODSRows: SheetRows {
    var rows: [SheetRow] = []
    var width = SheetLimits.columns
    private(set) var sheet: String?
    /// The number of the sheet in its document.
    private let index: Int
    private let keepsCells: Bool

    private var sheets = 0
    /// How many tables are open: a cell may contain one.
    private var tables = 0
    private var isInside: Bool { tables > 0 && sheets - 1 == index }
    private(set) var isEnded = false
    private var row: SheetRow?
    private var nextRow = 1
    private var cell: Cell?
    private var nextColumn = 0

    fileprivate struct Cell {
        let column: Int
        let count: Int
        let start: Int
        /// The value in the notation of the file, if the text shows it in that of a language.
        let value: String?
        let isNumber: Bool
        let isError: Bool
        var text: [UInt8] = []
        /// True after white space that is written as such. More of it is left out.
        var isInSpace = false
        var paragraphs = 0
        /// How many elements are open in the cell.
        var level = 0
        /// The level of a paragraph, and that of a note or a picture in it, whose text is not the cell's.
        var paragraph: Int?
        var skipped: Int?
    }

    init(index: Int, keepsCells: Bool) {
        (self.index, self.keepsCells) = (index, keepsCells)
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) throws {
        if name == "table:table" {
            tables += 1
            if tables == 1 {
                sheets += 1
                if isInside { sheet = attributes.text("table:name") ?? "" }
            }
        }
        guard isInside, tables == 1 || cell != nil else { return }
        if cell != nil {
            try startContent(name, attributes)
        } else if row != nil {
            if name == "table:table-cell" || name == "table:covered-table-cell" { try startCell(attributes, at: range) }
        } else if name == "table:table-row" {
            row = SheetRow(number: nextRow, tag: range)
            row?.count = attributes.repeats("table:number-rows-repeated", most: 16 * SheetLimits.rows)
            nextColumn = 0
            guard nextRow <= 16 * SheetLimits.rows else { throw XMLStream.Malformed() }
        }
    }

    func end(_ name: XMLName, at range: Range<Int>) throws {
        if name == "table:table" {
            if tables == 1, isInside { isEnded = true }
            tables -= 1
        }
        if cell != nil {
            guard cell?.level == 0 else { return endContent() }
            endCell(at: range.upperBound)
        } else if var row, name == "table:table-row" {
            nextRow += row.count
            // Only a blank row may stand for more rows than a program shows.
            guard row.used == 0 || nextRow <= SheetLimits.rows + 1 else { throw XMLStream.Malformed() }
            row.end = range.upperBound
            if row.used > 0 { rows.append(row) }
            self.row = nil
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard cell?.paragraph != nil, cell?.skipped == nil else { return }
        for byte in bytes {
            let isSpace = byte == 0x20 || byte == 0x09 || byte == .lineFeed || byte == .carriageReturn
            if !isSpace || cell?.isInSpace != true { cell?.text.append(isSpace ? 0x20 : byte) }
            cell?.isInSpace = isSpace
        }
        try checkSize()
    }

    private func checkSize() throws {
        if let cell, cell.text.count > SheetLimits.cellBytes { throw XMLStream.Malformed() }
    }

    private func startCell(_ attributes: XMLAttributes, at range: Range<Int>) throws {
        let count = attributes.repeats("table:number-columns-repeated", most: 16 * SheetLimits.columns)
        let type = attributes["office:value-type"].map { XMLName(bytes: $0) }
        let isNumber = type.map { $0 == "float" || $0 == "percentage" || $0 == "currency" } ?? false
        var value: String?
        if isNumber { value = attributes.text("office:value") }
        if let type, type == "date" { value = attributes.text("office:date-value") }
        if let type, type == "boolean" { value = attributes.text("office:boolean-value")?.uppercased() }
        cell = Cell(
            column: nextColumn, count: count, start: range.lowerBound, value: value, isNumber: isNumber,
            isError: attributes["calcext:value-type"].map { XMLName(bytes: $0) == "error" } ?? false)
        nextColumn += count
        guard nextColumn <= 16 * SheetLimits.columns else { throw XMLStream.Malformed() }
    }

    private func startContent(_ name: XMLName, _ attributes: XMLAttributes) throws {
        cell?.level += 1
        cell?.isInSpace = false
        guard let level = cell?.level, cell?.skipped == nil else { return }
        if cell?.paragraph == nil {
            guard name == "text:p", level == 1 else {
                cell?.skipped = level
                return
            }
            cell?.paragraph = level
            if let count = cell?.paragraphs, count > 0 { cell?.text.append(.lineFeed) }
            cell?.paragraphs += 1
        } else if name == "text:s" {
            let count = min(attributes.number("text:c") ?? 1, SheetLimits.cellBytes)
            cell?.text += repeatElement(0x20, count: count)
            try checkSize()
        } else if name == "text:tab" {
            cell?.text.append(0x09)
        } else if name == "text:line-break" {
            cell?.text.append(.lineFeed)
        } else if name == "office:annotation" || name == "text:note" || name == "text:ruby-text" || name == "draw:frame"
        {
            cell?.skipped = level
        }
    }

    private func endContent() {
        if cell?.skipped == cell?.level { cell?.skipped = nil }
        if cell?.paragraph == cell?.level { cell?.paragraph = nil }
        cell?.level -= 1
    }

    private func endCell(at end: Int) {
        guard let cell else { return }
        self.cell = nil
        if keepsCells {
            row?.cells.append(SheetCell(column: cell.column, count: cell.count, range: cell.start..<end))
        }
        guard !cell.isError, !cell.text.isEmpty || cell.value != nil else { return }
        row?.set(cell.column, count: cell.count, width: width, isNumber: cell.isNumber, to: cell.shown)
    }
}

extension XMLAttributes {
    /// How many equal cells or rows an element stands for. Bounded, so that sums of such numbers do not overflow.
    fileprivate func repeats(_ name: StaticString, most: Int) -> Int { min(max(1, number(name) ?? 1), most) }
}

extension ODSRows.Cell {
    /// The value as people see it, but numbers and dates in the notation of all languages.
    fileprivate var shown: String {
        let text = String(decoding: text, as: UTF8.self)
        guard let value else { return text }
        guard isNumber, let number = Double(value) else { return value }
        // The text of a postcode has the zeros before it, and perhaps a hyphen.
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        if text.utf8.first != UInt8(ascii: "-"), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            Double(String(decoding: digits, as: UTF8.self)) == number
        {
            return text
        }
        return abs(number) < 0x1p53 ? Int(exactly: number).map { "\($0)" } ?? "\(number)" : value
    }
}

extension ODSRows {
    func edits(
        of row: SheetRow, in bytes: SheetBytes, cells: [OutputColumn.Value], at first: Int, old: Int
    ) -> [SheetEdit] {
        var text = ""
        for value in cells { text += Self.element(value) }
        let end = first + max(old, cells.count)
        let gap = end - first - cells.count
        if gap > 0 { text += Self.blanks(gap) }
        guard let from = row.cells.first(where: { $0.column + $0.count > first }) else {
            // The row ends before its new cells.
            let behind = row.cells.last
            let missing = first - (behind.map { $0.column + $0.count } ?? 0)
            let position = behind?.range.upperBound ?? row.tag.upperBound
            let filler = missing > 0 ? Self.blanks(missing) : ""
            return [SheetEdit(range: position..<position, text: filler + text)]
        }
        let to = row.cells.last { $0.column < end } ?? from
        // An element for several cells is split.
        if from.column < first { text = part(of: from, in: bytes, count: first - from.column) + text }
        let rest = to.column + to.count - end
        if rest > 0 { text += part(of: to, in: bytes, count: rest) }
        return [SheetEdit(range: from.range.lowerBound..<max(from.range.lowerBound, to.range.upperBound), text: text)]
    }

    func edits(beforeRowsOf bytes: SheetBytes, end: Int) -> [SheetEdit] { [] }

    /// The element of a cell, for another number of cells.
    private func part(of cell: SheetCell, in bytes: SheetBytes, count: Int) -> String {
        guard let repeated = bytes.attribute("table:number-columns-repeated", in: cell.range) else { return "" }
        let own = SheetBytes(start: cell.range.lowerBound, bytes: Array(bytes[cell.range]))
        return String(
            decoding: own.changed(by: [SheetEdit(range: repeated.range, text: "\(count)")]), as: UTF8.self)
    }

    private static func blanks(_ count: Int) -> String {
        "<table:table-cell table:number-columns-repeated=\"\(count)\"/>"
    }

    /// White space that a reader would otherwise reduce to one space becomes elements.
    private static func paragraph(_ text: String) -> String {
        let escaped = XMLText.escaped(text)
        guard escaped.utf8.contains(0x09) || escaped.contains("  ") else { return escaped }
        return escaped.replacing("\t", with: "<text:tab/>").replacing("  ", with: "<text:s text:c=\"2\"/>")
    }

    /// A cell with or without a value. A text is always a text, also if it looks like a formula.
    static func element(_ value: OutputColumn.Value) -> String {
        guard !value.text.isEmpty else { return "<table:table-cell/>" }
        let lines = value.text.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { "<text:p>\(paragraph(String($0)))</text:p>" }.joined()
        let type =
            switch value {
            case .number(let number): "office:value-type=\"float\" office:value=\"\(number)\""
            case .truth(let isTrue): "office:value-type=\"boolean\" office:boolean-value=\"\(isTrue)\""
            case .text: "office:value-type=\"string\""
            }
        return "<table:table-cell \(type)>\(text)</table:table-cell>"
    }
}
