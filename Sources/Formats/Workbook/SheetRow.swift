/// A row of a sheet that has at least one value.
struct SheetRow {
    /// The number that spreadsheets show for the row.
    let number: Int
    /// How many equal rows follow each other, in one element of the document.
    var count = 1
    /// The values of the first columns, as many as the reader needs.
    var fields: [String] = []
    /// The columns whose value is a number.
    var numbers: Set<Int> = []
    /// The number of the columns up to the last value.
    var used = 0
    /// The bytes of the row's first tag.
    let tag: Range<Int>
    /// The end of its last tag.
    var end = 0
    /// The cells with or without a value, if the row is to be copied.
    var cells: [SheetCell] = []

    init(number: Int, tag: Range<Int>) {
        (self.number, self.tag) = (number, tag)
    }

    /// The values of the first columns. A number that is shown in a form of its own, such as the postcode 01067, is a text.
    var values: [OutputColumn.Value] {
        fields.enumerated().map { column, text in
            numbers.contains(column) && Double(text).map { "\($0)" == text || "\($0)" == text + ".0" } == true
                ? .number(text) : .text(text)
        }
    }

    /// Sets the value of `count` columns. Columns from `width` on are not stored.
    mutating func set(
        _ column: Int, count: Int = 1, width: Int, isNumber: Bool = false, to text: @autoclosure () -> String
    ) {
        used = max(used, column + count)
        guard column < width else { return }
        let text = text()
        for column in column..<min(width, column + count) {
            while fields.count <= column { fields.append("") }
            fields[column] = text
            if isNumber { numbers.insert(column) }
        }
    }
}

/// The place of a cell in its document.
struct SheetCell {
    let column: Int
    /// How many equal cells the element stands for.
    var count = 1
    /// The bytes of the whole element.
    let range: Range<Int>
}

/// Collects the rows of a sheet from its document.
protocol SheetRows: XMLHandler {
    /// Rows that were read but not taken yet.
    var rows: [SheetRow] { get set }
    /// How many columns a reader needs.
    var width: Int { get set }
    /// The name of the sheet, after its start was read.
    var sheet: String? { get }
    /// True if no more rows follow in the document.
    var isEnded: Bool { get }

    /// The changes to the bytes of a row that put `cells` into the columns from `first` on, in place of `old` columns.
    func edits(
        of row: SheetRow, in bytes: SheetBytes, cells: [OutputColumn.Value], at first: Int, old: Int
    ) -> [SheetEdit]
    /// The changes to the bytes before the first row, for a sheet that ends before the column `end` now.
    func edits(beforeRowsOf bytes: SheetBytes, end: Int) -> [SheetEdit]
}

/// The most that Excel and LibreOffice show.
enum SheetLimits {
    static let rows = 1_048_576
    static let columns = 16_384
    static let cellBytes = 1 << 20
    /// The longest text in a cell of Excel, in UTF-16 units.
    static let excelCell = 32_767
}
