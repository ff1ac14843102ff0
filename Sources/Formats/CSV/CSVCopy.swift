/// Copies a CSV file and adds columns with the places of its addresses after its own. Columns of an earlier copy are
/// replaced.
///
/// A row stays the same byte by byte if the encoding and the delimiter stay and it has as many fields as the header. A
/// file without a header gets none. Refused rows are copied too. If a row has too many fields, the rest comes after our
/// columns. A line that can't be split into fields becomes the first field of its row.
package struct CSVCopy: SourceCopy {
    private var rows: PlacedRows<CSVReader, Row>
    private let output: EncodedOutput
    private let delimiter: UInt8
    private let decimal: DecimalMark
    /// True if rows are copied unchanged, because the delimiter stays.
    private let keepsRows: Bool
    private let lineEnd: [UInt8]
    /// The number of the file's own columns.
    private let ownCount: Int

    private struct Row {
        let bytes: [UInt8]
        let fields: [String]
    }

    /// Copies `source`, which must not have been read yet. With a nil `encoding` the copy is UTF-8. Unless `isTabbed`,
    /// the copy has the source's delimiter. With a nil `decimal` new numbers are written as those of the source.
    package init(
        of source: ContactsCSV, to file: OutputFile, encoding: FileEncoding? = nil, isTabbed: Bool = false,
        decimal: DecimalMark? = nil, adding added: AddedColumns = .usual
    ) throws {
        rows = PlacedRows(of: source, adding: added)
        let reader = source.reader
        output = try EncodedOutput(file, encoding ?? (reader.hasMark ? .utf8WithMark : .utf8))
        let delimiter = reader.delimiter ?? UInt8(ascii: ",")
        self.delimiter = isTabbed ? UInt8(ascii: "\t") : delimiter
        keepsRows = self.delimiter == delimiter
        self.decimal = decimal ?? DecimalMark(of: source.head.rows, delimiter: delimiter)
        lineEnd = reader.lastLineEnd.isEmpty ? [.lineFeed] : reader.lastLineEnd
        for line in reader.preamble { try output.write(line + lineEnd) }
        if reader.isDelimiterAnnounced { try output.write(Array("sep=".utf8) + [self.delimiter] + lineEnd) }
        let header = source.columns.header
        ownCount = rows.ownCount
        guard source.hasHeader else { return }
        let names = rows.names
        if keepsRows {
            try write(head(of: reader.lastRecord, header.count), [], names)
        } else {
            try write(nil, Array(header.prefix(ownCount)), names)
        }
    }

    package mutating func read(limit: Int) throws -> [String]? {
        try rows.read(limit: limit) { Row(bytes: $0.reader.lastRecord, fields: $0.lastFields) }
    }

    package mutating func write(_ found: [String: [ContactPlace]]) throws {
        for (row, cells) in rows.filled(with: found) { try write(row, cells.map { decimal.text(of: $0) }) }
    }

    package mutating func finish() throws -> OutputFile {
        output.file
    }

    private func write(_ row: Row, _ cells: [String]) throws {
        let count = rows.source.columns.header.count
        if row.fields.isEmpty {
            let line = String(decoding: row.bytes, as: UTF8.self)
            return try write(nil, [line] + Array(repeating: "", count: max(0, ownCount - 1)), cells)
        }
        let missing = Array(repeating: "", count: max(0, ownCount - row.fields.count))
        guard row.fields.count > count || !keepsRows else {
            return try write(head(of: row.bytes, row.fields.count), missing, cells)
        }
        try write(nil, Array(row.fields.prefix(ownCount)) + missing, cells + row.fields.dropFirst(count))
    }

    /// The file's own fields of a record with `count` fields, byte by byte.
    private func head(of record: [UInt8], _ count: Int) -> [UInt8] {
        guard count > ownCount else { return record }
        var scan = RecordScan(delimiter: delimiter, isFinal: true, mayCrossLines: true, room: [])
        _ = record.withUnsafeBufferPointer { scan.run(over: $0) }
        guard scan.fields.count > ownCount else { return record }
        let next = scan.fields[ownCount].range.lowerBound
        let isQuoted = next > 0 && record[next - 1] == UInt8(ascii: "\"")
        return Array(record.prefix(max(0, next - (isQuoted ? 2 : 1))))
    }

    /// Writes a row: the given bytes unchanged, then fields.
    private func write(_ bytes: [UInt8]?, _ fields: [String], _ cells: [String]) throws {
        var row = bytes ?? []
        for (index, field) in (fields + cells).enumerated() {
            if index > 0 || bytes != nil { row.append(delimiter) }
            CSVText.append(field, delimiter: delimiter, to: &row)
        }
        try output.write(row + lineEnd)
    }
}
