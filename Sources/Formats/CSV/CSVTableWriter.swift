/// Writes the rows of a table as text: https://www.rfc-editor.org/rfc/rfc4180
struct CSVTableWriter: TableWriter {
    private let output: EncodedOutput
    private let delimiter: UInt8
    private let decimal: DecimalMark
    private let isSafe: Bool

    /// With `isTabbed` tabs separate the fields. With `isSafe` no spreadsheet takes a text for a formula.
    init(
        to file: OutputFile, encoding: FileEncoding = .utf8, isTabbed: Bool = false, isSafe: Bool = false,
        decimal: DecimalMark = .point
    ) throws {
        (self.isSafe, self.decimal) = (isSafe, decimal)
        output = try EncodedOutput(file, encoding)
        delimiter = UInt8(ascii: isTabbed ? "\t" : ",")
    }

    mutating func write(_ values: [OutputColumn.Value]) throws {
        var row: [UInt8] = []
        for (column, value) in values.enumerated() {
            if column > 0 { row.append(delimiter) }
            CSVText.append(cell(value), delimiter: delimiter, to: &row)
        }
        // The RFC ends lines with CR LF. Spreadsheets accept LF too, and grep, sort and diff need it.
        row.append(.lineFeed)
        try output.write(row)
    }

    private func cell(_ value: OutputColumn.Value) -> String {
        guard isSafe, case .text(let text) = value, CSVText.isFormula(text) else { return decimal.text(of: value) }
        return "'" + text
    }

    mutating func finish() throws -> OutputFile {
        output.file
    }
}

enum CSVText {
    /// Adds a field to a row, in quotes if it would be misread without them.
    static func append(_ field: String, delimiter: UInt8 = UInt8(ascii: ","), to row: inout [UInt8]) {
        guard field.utf8.contains(where: { $0 == .quote || $0 == delimiter || $0.isLineEnd }) else {
            row += field.utf8
            return
        }
        row.append(.quote)
        for byte in field.utf8 {
            if byte == .quote { row.append(.quote) }
            row.append(byte)
        }
        row.append(.quote)
    }

    /// Returns whether a spreadsheet would take the text for a formula, even after spaces:
    /// https://owasp.org/www-community/attacks/CSV_Injection
    static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first(where: { $0 != " " }) else { return false }
        return "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
    }
}
