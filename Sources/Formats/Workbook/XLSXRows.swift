import Glibc

/// The rows of a sheet in an Excel workbook: ECMA-376, part 1, 18.3
/// https://ecma-international.org/publications-and-standards/standards/ecma-376/
final class XLSXRows: SheetRows {
    var rows: [SheetRow] = []
    var width = SheetLimits.columns
    let sheet: String?
    private let strings: SharedStrings?
    private let styles: XLSXStyles
    private let keepsCells: Bool

    /// The tag of the sheet's size, if it stands before the rows, as it must.
    private var dimension: Range<Int>?
    private var isInData = false
    private(set) var isEnded = false
    private var row: SheetRow?
    private var rowNumber = 0
    private var column: Int?
    private var lastColumn = -1
    private var cellStart = 0
    private var kind = Kind.number
    private var style = 0
    private var text: [UInt8] = []
    private var isText = false
    private var isPhonetic = false

    private enum Kind {
        case number, shared, text, boolean, error
    }

    init(sheet: String, strings: SharedStrings?, styles: XLSXStyles, keepsCells: Bool) {
        (self.sheet, self.strings, self.styles, self.keepsCells) = (sheet, strings, styles, keepsCells)
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) throws {
        let name = name.local
        guard isInData else {
            if name == "sheetData" { isInData = !isEnded }
            if name == "dimension", !isEnded { dimension = range }
            return
        }
        if column != nil {
            if name == "v" || name == "t" { isText = !isPhonetic }
            if name == "rPh" { isPhonetic = true }
        } else if row != nil {
            if name == "c" { try startCell(attributes, at: range) }
        } else if name == "row" {
            rowNumber = attributes.number("r") ?? rowNumber + 1
            guard 1...SheetLimits.rows ~= rowNumber else { throw XMLStream.Malformed() }
            row = SheetRow(number: rowNumber, tag: range)
            lastColumn = -1
        }
    }

    func end(_ name: XMLName, at range: Range<Int>) {
        let name = name.local
        guard isInData else { return }
        if column != nil {
            if name == "v" || name == "t" { isText = false }
            if name == "rPh" { isPhonetic = false }
            if name == "c" { endCell(at: range.upperBound) }
        } else if row != nil, name == "row" {
            row?.end = range.upperBound
            if let row, row.used > 0 { rows.append(row) }
            row = nil
        } else if name == "sheetData" {
            (isInData, isEnded) = (false, true)
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard isText else { return }
        guard text.count + bytes.count <= SheetLimits.cellBytes else { throw XMLStream.Malformed() }
        text.append(contentsOf: bytes)
    }

    private func startCell(_ attributes: XMLAttributes, at range: Range<Int>) throws {
        let column = attributes["r"].map(Self.column) ?? lastColumn + 1
        guard 0..<SheetLimits.columns ~= column else { throw XMLStream.Malformed() }
        (self.column, lastColumn, cellStart) = (column, column, range.lowerBound)
        style = attributes["s"].map { Int(atol($0)) } ?? 0
        text.removeAll(keepingCapacity: true)
        kind =
            switch attributes["t"].map({ XMLName(bytes: $0) }) {
            case .some(let type) where type == "s": .shared
            case .some(let type) where type == "b": .boolean
            case .some(let type) where type == "e": .error
            case .some(let type) where type == "n": .number
            case .some: .text
            case nil: .number
            }
    }

    private func endCell(at end: Int) {
        guard let column else { return }
        if keepsCells { row?.cells.append(SheetCell(column: column, range: cellStart..<end)) }
        if !text.isEmpty, kind != .error { row?.set(column, width: width, isNumber: kind == .number, to: value) }
        self.column = nil
    }

    private var value: String {
        switch kind {
        case .shared: Int(String(decoding: text, as: UTF8.self)).flatMap { strings?[$0] } ?? ""
        case .text: text[...].unescaped
        case .boolean: text == [0x31] ? "TRUE" : "FALSE"
        case .error: ""
        case .number: styles.text(String(decoding: text, as: UTF8.self), style: style)
        }
    }

    /// 27 for `AB12`; -1 without a column.
    private static func column(_ reference: UnsafePointer<CChar>) -> Int {
        var (position, column) = (0, 0)
        while case let letter = Int(reference[position]) & ~0x20, 0x41...0x5A ~= letter, position < 4 {
            column = column * 26 + letter - 0x40
            position += 1
        }
        return column - 1
    }
}

extension XLSXRows {
    func edits(
        of row: SheetRow, in bytes: SheetBytes, cells: [OutputColumn.Value], at first: Int, old: Int
    ) -> [SheetEdit] {
        let prefix = bytes.prefix(of: row.tag)
        let added = cells.enumerated().map { index, value in
            Self.element(value, prefix, column: first + index, row: row.number)
        }.joined()
        let start = row.cells.last { $0.column < first }?.range.upperBound ?? row.tag.upperBound
        let end = row.cells.last { first..<(first + max(old, cells.count)) ~= $0.column }?.range.upperBound ?? start
        let edit = SheetEdit(range: start..<max(start, end), text: added)
        guard let spans = bytes.attribute("spans", in: row.tag),
            let colon = spans.text.firstIndex(of: ":"), let last = Int(spans.text[spans.text.index(after: colon)...]),
            last < first + cells.count
        else { return [edit] }
        return [SheetEdit(range: spans.range, text: "\(spans.text[...colon])\(first + cells.count)"), edit]
    }

    func edits(beforeRowsOf bytes: SheetBytes, end: Int) -> [SheetEdit] {
        guard let dimension, let reference = bytes.attribute("ref", in: dimension) else { return [] }
        let corners = reference.text.split(separator: ":")
        guard let first = corners.first, let last = corners.last, last.withCString(Self.column) < end - 1 else {
            return []
        }
        let text = "\(first):\(Self.letters(end - 1))\(last.drop(while: \.isLetter))"
        return [SheetEdit(range: reference.range, text: text)]
    }

    /// A cell with a value; blank without one. A text is always a text, also if it looks like a formula.
    static func element(_ value: OutputColumn.Value, _ prefix: String = "", column: Int, row: Int) -> String {
        guard !value.text.isEmpty else { return "" }
        let start = "<\(prefix)c r=\"\(letters(column))\(row)\""
        if case .number(let number) = value { return "\(start)><\(prefix)v>\(number)</\(prefix)v></\(prefix)c>" }
        if case .truth(let isTrue) = value {
            return "\(start) t=\"b\"><\(prefix)v>\(isTrue ? 1 : 0)</\(prefix)v></\(prefix)c>"
        }
        // Excel reads `_x000D_` as an escape.
        let hasEscape = value.text.utf8.contains(UInt8(ascii: "_"))
        let text = XMLText.escaped(hasEscape ? value.text.replacing("_x", with: "_x005F_x") : value.text)
        return "\(start) t=\"inlineStr\"><\(prefix)is><\(prefix)t>\(text)</\(prefix)t></\(prefix)is></\(prefix)c>"
    }

    /// `AB` for 27
    static func letters(_ column: Int) -> String {
        let last = String(UnicodeScalar(UInt8(0x41 + column % 26)))
        return column < 26 ? last : letters(column / 26 - 1) + last
    }
}
