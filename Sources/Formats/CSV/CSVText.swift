enum CSVText {
    /// Adds a field to a row, between quotes where it would not be read as it is otherwise.
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
}
