/// How the columns of a table are read, for a person who may change it.
package struct ColumnReading: Sendable {
    package struct Column: Sendable {
        /// Blank if the table has no header, or the cell is blank.
        package let name: String
        /// The word of a mapping: `city`, or `work.city` if the row has several addresses. Nil for an ignored column.
        package let meaning: String?
    }

    package let columns: [Column]
    package let hasHeader: Bool
    /// The name of the sheet of a workbook.
    package let sheet: String?
    /// The first rows below the header.
    package let rows: [[String]]

    /// The meanings that a column may have.
    package static let fields = ContactField.allCases.map(\.rawValue)

    /// The most columns and rows that are shown.
    private static let (mostColumns, mostRows) = (100, 5)

    /// Nil if the source is not a table.
    package init?(of source: Source) throws {
        guard source.format.isTable, let path = source.lastingPath else { return nil }
        if source.format.isWorkbook {
            let table = try ContactsTable(workbook: path, format: source.format, options: source.options)
            self.init(table, sheet: table.reader.stream.name)
        } else {
            self.init(try ContactsCSV(path: path, options: source.options), sheet: nil)
        }
    }

    private init<Reader>(_ table: ContactsTable<Reader>, sheet: String?) {
        var words: [Int: String] = [:]
        for (field, columns) in table.columns.contact { for column in columns { words[column] = field.rawValue } }
        for address in table.columns.addresses {
            let group = table.columns.addresses.count > 1 ? address.group.key : ""
            for (field, columns) in address.columns {
                for column in columns { words[column] = (group.isEmpty ? "" : group + ".") + field.rawValue }
            }
        }
        (hasHeader, self.sheet) = (table.hasHeader, sheet)
        columns = table.columns.header.prefix(Self.mostColumns).enumerated().map { column, name in
            Column(name: table.hasHeader ? name : "", meaning: words[column])
        }
        // Without a header, the first row is one of contacts.
        let first = table.hasHeader ? [] : [table.columns.header]
        rows = (first + table.head.rows).prefix(Self.mostRows).map { Array($0.prefix(Self.mostColumns)) }
    }
}
