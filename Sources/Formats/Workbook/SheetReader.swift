/// Reads the rows of a sheet of a workbook. Row numbers are those that spreadsheets show.
package final class SheetReader: RecordReader {
    private let workbook: Workbook
    private let options: ReadingOptions
    /// The number of the sheet in its workbook.
    private let index: Int
    let stream: SheetStream
    /// Rows that were read to find the header.
    private var ahead: ArraySlice<SheetRow>
    /// The row of the last record, and how many of its equals follow.
    private(set) var row = SheetRow(number: 0, tag: 0..<0)
    private var repeats = 0
    /// The number of the columns that have a name, once it is known.
    private var width: Int?
    /// True if values next to the table are read too, for a copy.
    var keepsAll = false {
        didSet { if keepsAll { stream.rows.width = SheetLimits.columns } }
    }
    /// All values of the last record.
    private var values: [OutputColumn.Value] = []
    /// The number of the header's row, or of the first.
    private let firstRow: Int
    let head: TableHead
    /// Other sheets with addresses, and the number of their rows: they are not read.
    let others: [(name: String, rows: Int)]

    /// The most rows of a sheet that are counted, to find the sheet with the most contacts.
    private static let mostCounted = 10_000

    /// Opens the sheet with the most rows that have an address, or the one that `options` name. With `keepsBytes` the
    /// rows can be copied.
    init(path: String, format: SourceFormat, options: ReadingOptions, keepsBytes: Bool = false) throws {
        workbook = try Workbook(path: path, format: format)
        self.options = options
        width = options.columns?.names.count
        var (names, sheets): ([String], [(name: String, index: Int, rows: Int)]) = ([], [])
        while let stream = try workbook.rows(ofSheet: names.count) {
            names.append(stream.name)
            if let sheet = options.sheet, sheet.lowercased() != stream.name.lowercased() { continue }
            // A damaged sheet that is not chosen is not an error.
            let rows = (try? Self.contacts(in: stream, options)) ?? -1
            sheets.append((stream.name, names.count - 1, rows))
        }
        guard let most = sheets.map(\.rows).max(), let sheet = sheets.first(where: { $0.rows == most }),
            let stream = try workbook.rows(ofSheet: sheet.index, keepsBytes: keepsBytes)
        else {
            throw FileError(
                file: workbook.name,
                problem: "has no sheet \"\(options.sheet ?? "")\"; its sheets are \(names.joined(separator: ", "))")
        }
        let rows = try Self.firstRows(of: stream)
        let header = TableHead.header(in: rows.map(\.fields), isSheet: true, options) ?? 0
        (index, self.stream, ahead) = (sheet.index, stream, rows[min(header, rows.count)...])
        head = TableHead(rows.map(\.fields), header: header)
        firstRow = ahead.first?.number ?? 0
        others = sheets.filter { $0.index != sheet.index && $0.rows > 0 }.map { ($0.name, $0.rows) }
    }

    private static func firstRows(of stream: SheetStream) throws -> [SheetRow] {
        var rows: [SheetRow] = []
        while rows.count < TableHead.size, let row = try stream.nextRow() { rows.append(row) }
        return rows
    }

    /// The number of rows with an address below the header; -1 without a header.
    private static func contacts(in stream: SheetStream, _ options: ReadingOptions) throws -> Int {
        let first = try firstRows(of: stream)
        let fields = first.map(\.fields)
        if options.columns != nil { return first.isEmpty ? -1 : 0 }
        guard let header = TableHead.header(in: fields, isSheet: true, options),
            let columns = try? ContactColumns(
                header: fields[header], head: TableHead(fields, header: header), mapping: options.mapping)
        else { return -1 }
        let places = columns.addresses.flatMap { $0.columns.filter(\.key.isAddressAlone).values.joined() }
        func isContact(_ row: SheetRow) -> Bool {
            places.contains { $0 < row.fields.count && !row.fields[$0].isEmpty }
                && columns.reasonAgainst(row.fields) == nil
        }
        var count = first.dropFirst(header + 1).reduce(0) { isContact($1) ? $0 + min($1.count, mostCounted) : $0 }
        while count < mostCounted, let row = try stream.nextRow() {
            if isContact(row) { count += min(row.count, mostCounted) }
        }
        return count
    }

    package var name: String { workbook.name }
    package var totalSize: Int? { stream.entry.packedSize }
    package var bytesRead: Int { stream.bytesRead }

    /// The next row with a value below a name. What stands outside the table, such as a remark, is left out.
    package func next() throws -> CSVRecord? {
        while true {
            if repeats > 0 {
                repeats -= 1
                return .fields(line: row.number + row.count - 1 - repeats, row.fields)
            }
            guard var row = try ahead.popFirst() ?? stream.nextRow() else { return nil }
            if keepsAll { values = row.values }
            if let width {
                row.fields = Array(row.fields.prefix(width))
            } else {
                width = row.fields.count
                stream.rows.width = row.fields.count
            }
            guard row.fields.contains(where: { !$0.isEmpty }) else { continue }
            (self.row, repeats) = (row, row.count)
        }
    }

    package func values(of fields: [String]) -> [OutputColumn.Value] { values }

    /// The bytes of the last record's row, and those before it; nil if it equals the record before.
    func takeBytes() -> SheetBytes? {
        repeats == row.count - 1 ? stream.bytes(upTo: row.end) : nil
    }

    /// The number of columns up to the last value in the table or next to it.
    func usedColumns() throws -> Int {
        guard let stream = try workbook.rows(ofSheet: index) else { return 0 }
        stream.rows.width = 0
        var used = 0
        while let row = try stream.nextRow() {
            if row.number >= firstRow { used = max(used, row.used) }
        }
        return used
    }

    /// The entries of the workbook before and behind the sheet's document.
    func entries() -> (zip: ZipFile, before: ArraySlice<ZipFile.Entry>, after: ArraySlice<ZipFile.Entry>) {
        let entries = workbook.zip.entries
        let place = entries.firstIndex { $0.offset == stream.entry.offset } ?? entries.startIndex
        return (workbook.zip, entries[..<place], entries[(place + 1)...])
    }
}

extension ContactsTable<SheetReader> {
    /// Opens a workbook, and reads the header of its sheet.
    init(workbook path: String, format: SourceFormat, options: ReadingOptions, keepsBytes: Bool = false) throws {
        let reader = try SheetReader(path: path, format: format, options: options, keepsBytes: keepsBytes)
        try self.init(reader, options: options, head: reader.head)
    }
}
