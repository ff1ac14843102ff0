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
