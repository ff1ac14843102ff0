/// Tables of comma-separated values, the format of the Census geocoder.
enum CensusTable {
    struct Row {
        let id: Int
        let fields: [String]
    }

    /// Writes a line for each row, with all fields in quotes.
    static func text(_ rows: [Row]) -> String {
        rows.map { row in
            ([String(row.id)] + row.fields.map(field)).map { "\"\($0.replacing("\"", with: "\"\""))\"" }
                .joined(separator: ",") + "\n"
        }
        .joined()
    }

    /// Puts a field on one line. The geocoder reads line by line, so a line break within quotes would make two rows of
    /// one.
    static func field(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the records of a table; nil if a quote is in the wrong place or is never closed.
    static func records(in bytes: [UInt8]) -> [[String]]? {
        var records: [[String]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var record: [String] = []
            repeat {
                guard let field = nextField(&rest) else { return nil }
                record.append(field)
            } while rest.popFirst(comma)
            _ = rest.popFirst(carriageReturn)
            guard rest.isEmpty || rest.popFirst(lineFeed) else { return nil }
            if record != [""] { records.append(record) }
        }
        return records
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private static func nextField(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.popFirst(quote) else {
            let field = rest.prefix { $0 != comma && $0 != carriageReturn && $0 != lineFeed }
            rest = rest.dropFirst(field.count)
            return field.contains(quote) ? nil : String(decoding: field, as: UTF8.self)
        }
        var field: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte != quote {
                field.append(byte)
            } else if rest.popFirst(quote) {
                field.append(quote)
            } else {
                return String(decoding: field, as: UTF8.self)
            }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Removes the next byte if it is this one.
    fileprivate mutating func popFirst(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }
}
