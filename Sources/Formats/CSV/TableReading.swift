/// How a table is read, in lines for people to check before anything is geocoded.
package enum TableReading {
    /// The lines for a file of contacts; none if it is not a table, or a pipe.
    package static func lines(of source: Source) throws -> [String] {
        guard source.format.isTable, let path = source.lastingPath else { return [] }
        if source.format.isWorkbook {
            let contacts = try ContactsTable(workbook: path, format: source.format, options: source.options)
            let (sheet, row) = (contacts.reader.stream.name, contacts.reader.row.number)
            let place = contacts.hasHeader ? ", with its header in row \(row)" : ", without a header"
            let others = contacts.reader.others.map { "\"\($0.name)\" (\($0.rows) \($0.rows == 1 ? "row" : "rows"))" }
            return lines(
                "\(source.name) is read from the sheet \"\(sheet)\"\(place):", contacts,
                others.isEmpty
                    ? [] : ["not read: other sheets with addresses, \(others.shown); --sheet NAME reads another one"])
        }
        let contacts = try ContactsCSV(path: path, options: source.options)
        let encoding = try FileEncoding.ofFile(path, readAs: source.options.encoding).name
        let isGuess =
            source.options.encoding == .automatic && !["utf-8", "utf-8-bom", "utf-16", "utf-16be"].contains(encoding)
        let delimiter = contacts.reader.delimiter ?? UInt8(ascii: ",")
        let separator = delimiter == UInt8(ascii: "\t") ? "tabs" : "\(UnicodeScalar(delimiter))"
        let form =
            "\(source.name) is read as \(encoding)\(isGuess ? " (guessed; --encoding names another)" : ""), with \(separator) between columns\(contacts.hasHeader ? "" : " and without a header"):"
        return lines(form, contacts, [])
    }

    private static func lines<Reader>(
        _ form: String, _ contacts: ContactsTable<Reader>, _ more: [String]
    ) -> [String] {
        let meanings = contacts.columns.meanings(sample: contacts.head.rows, hasHeader: contacts.hasHeader)
        return [form] + (meanings + more).map { "  " + $0 }
    }
}

extension ContactColumns {
    /// A line for each column that is read, then one for each column that looks like a missing part of the address or a
    /// whole one, then one for all others. `sample` has the first rows.
    func meanings(sample: [[String]], hasHeader: Bool = true) -> [String] {
        // Without a header its first row is one of contacts.
        let names = header.indices.map {
            hasHeader && !header[$0].trimmed.isEmpty ? [header[$0]].shown : "column \($0 + 1)"
        }
        func has(_ column: Int) -> Bool { sample.contains { column < $0.count && !$0[column].trimmed.isEmpty } }
        var words: [Int: String] = [:]
        for (field, columns) in contact { for column in columns { words[column] = field.words } }
        for address in addresses {
            let label = address.group == .only || addresses.count == 1 ? "" : " (\(address.group.name))"
            for (field, columns) in address.columns {
                for (rank, column) in columns.enumerated() {
                    // Only the lines of a street are joined.
                    let isRest = rank > 0 && field != .street2 && has(columns[0])
                    words[column] = field.words + label + (isRest ? ", where \(names[columns[0]]) is blank" : "")
                }
            }
        }
        let notRead = Set(leftOut.flatMap(\.columns))
        let unread = header.indices.filter {
            words[$0] == nil && !notRead.contains($0) && (!header[$0].trimmed.isEmpty || has($0))
        }
        let read = Set(addresses.flatMap(\.columns.keys))
        let hints = unread.compactMap { column -> (Int, ContactField)? in
            let cells = sample.map { column < $0.count ? $0[column] : "" }
            return ColumnContent.field(of: cells).flatMap { $0.isMissing(from: read) ? (column, $0) : nil }
        }
        let others = unread.filter { column in !hints.contains { $0.0 == column } }
        return header.indices.compactMap { column in words[column].map { "\(names[column]) → \($0)" } }
            + leftOut.map { "not read: \($0.columns.map { names[$0] }.shown): \($0.reason)" }
            + hints.map { column, field in
                "\(names[column]) is ignored, but looks like a \(field.words): "
                    + (hasHeader ? "a --mapping with \(field) = \(names[column]) reads it" : "--columns can name it")
            } + (others.isEmpty ? [] : ["ignored: \(others.map { names[$0] }.shown)"])
    }
}

extension ContactField {
    /// True if the field would add to an address with these fields.
    fileprivate func isMissing(from read: Set<Self>) -> Bool {
        guard isPlace, !read.contains(.formatted), !read.contains(self) else { return false }
        return switch self {
        case .city, .postcode: !read.contains(.postcodeCity)
        case .postcodeCity: !read.contains(.city) || !read.contains(.postcode)
        default: true
        }
    }

    /// The field in messages.
    fileprivate var words: String {
        switch self {
        case .given: "given name"
        case .middle: "middle name"
        case .family: "family name"
        case .label: "kind of address"
        case .houseNumber: "house number"
        case .street2: "second line of the street"
        case .poBox: "PO box"
        case .formatted: "whole address"
        case .postcodeCity: "postcode and town"
        case .city: "town"
        case .geo: "latitude and longitude"
        case .key, .id, .name, .nickname, .organisation, .street, .region, .postcode, .country, .latitude, .longitude,
            .provider:
            rawValue
        }
    }
}
