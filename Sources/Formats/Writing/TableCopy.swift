/// Copies a table into another format, and adds columns with the places of its addresses after its own.
///
/// The copy has the header and all rows below it. Numbers of a workbook stay numbers in another one.
package struct TableCopy<Reader: RecordReader>: SourceCopy {
    private var rows: PlacedRows<Reader, [OutputColumn.Value]>
    private var table: any TableWriter
    /// The number of the table's own columns, and of all columns of its header.
    private let ownCount: Int
    private let count: Int

    /// Copies `source`, which must not have been read yet.
    init(of source: ContactsTable<Reader>, to table: any TableWriter, adding added: AddedColumns) throws {
        rows = PlacedRows(of: source, adding: added)
        self.table = table
        (ownCount, count) = (rows.ownCount, source.columns.header.count)
        guard source.hasHeader else { return }
        let header = source.columns.header.prefix(ownCount) + rows.names
        try self.table.write(header.map { .text($0) })
    }

    package mutating func read(limit: Int) throws -> [String]? {
        try rows.read(limit: limit) { $0.reader.values(of: $0.lastFields) }
    }

    package mutating func write(_ found: [String: [ContactPlace]]) throws {
        for (row, cells) in rows.filled(with: found) {
            let missing = Array(repeating: OutputColumn.Value.text(""), count: max(0, ownCount - row.count))
            // A value next to the table comes after the new columns.
            try table.write(row.prefix(ownCount) + missing + cells + row.dropFirst(count))
        }
    }

    package mutating func finish() throws -> OutputFile { try table.finish() }
}
