/// Copies a workbook and adds columns with the places of its addresses behind the last used column of the sheet. Columns
/// of an earlier copy are replaced.
///
/// Everything else stays the same byte by byte: the other parts are copied as they are packed, and the bytes of the
/// sheet too, except for the size and for the new cells. A row that stands for several equal ones gets the places of the
/// first.
package struct SheetCopy: SourceCopy {
    private var rows: PlacedRows<SheetReader, Piece>
    private var output: ZipWriter
    private let reader: SheetReader
    /// The first new column.
    private let first: Int
    /// The number of the columns that an earlier copy has added.
    private let old: Int
    private let count: Int
    private var isAtStart = true

    private struct Piece {
        let row: SheetRow
        let bytes: SheetBytes?
    }

    /// Copies the workbook at `path`.
    package init(
        of path: String, format: SourceFormat, options: ReadingOptions, to file: @autoclosure () throws -> OutputFile,
        adding added: AddedColumns = .usual
    ) throws {
        let source = try ContactsTable(workbook: path, format: format, options: options, keepsBytes: true)
        reader = source.reader
        rows = PlacedRows(of: source, adding: added)
        let names = rows.names
        let (width, used) = (source.columns.header.count, try reader.usedColumns())
        old = width - rows.ownCount
        count = names.count
        first = old > 0 ? rows.ownCount : max(width, used)
        // Values behind the columns of an earlier copy leave no room for more.
        let limit = old > 0 && used > width ? width : SheetLimits.columns
        guard first + count <= limit else {
            throw FileError(
                file: path,
                problem: "has no room for \(count) columns behind column \(XLSXRows.letters(max(0, first - 1))) "
                    + "of the sheet \"\(reader.stream.name)\"; write another format, such as places.csv")
        }
        output = try ZipWriter(to: file())
        let entries = reader.entries()
        for entry in entries.before { try output.copy(entry, of: entries.zip) }
        try output.begin(compressing: reader.stream.entry)
        if source.hasHeader {
            try write(Piece(row: reader.row, bytes: reader.takeBytes()), names.map { .text($0) })
        }
    }

    package mutating func read(limit: Int) throws -> [String]? {
        try rows.read(limit: limit) { Piece(row: $0.reader.row, bytes: $0.reader.takeBytes()) }
    }

    package mutating func write(_ found: [String: [ContactPlace]]) throws {
        for (piece, cells) in rows.filled(with: found) { try write(piece, cells) }
    }

    package mutating func finish() throws -> OutputFile {
        while let rest = try reader.stream.rest() { try output.write(rest) }
        try output.end()
        let entries = reader.entries()
        for entry in entries.after { try output.copy(entry, of: entries.zip) }
        return try output.finish()
    }

    private mutating func write(_ piece: Piece, _ cells: [OutputColumn.Value]) throws {
        guard let bytes = piece.bytes else { return }
        let sheet = reader.stream.rows
        var edits = sheet.edits(of: piece.row, in: bytes, cells: cells, at: first, old: old)
        if isAtStart { edits = sheet.edits(beforeRowsOf: bytes, end: first + count) + edits }
        isAtStart = false
        try output.write(bytes.changed(by: edits))
    }
}
