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
    /// The number of the header's row, or of the first.
    private let firstRow: Int

    /// A sheet may have a title above its header.
    private static let mostTitles = 20

    /// Opens the first sheet with a header that has a part of an address, or the one that `options` name. With
    /// `keepsBytes` the rows can be copied.
    init(path: String, format: SourceFormat, options: ReadingOptions, keepsBytes: Bool = false) throws {
        workbook = try Workbook(path: path, format: format)
        self.options = options
        width = options.columns?.names.count
        var (names, found): ([String], (index: Int, stream: SheetStream, rows: ArraySlice<SheetRow>)?) = ([], nil)
        while let stream = try workbook.rows(ofSheet: names.count, keepsBytes: keepsBytes) {
            names.append(stream.name)
            if let sheet = options.sheet, sheet.lowercased() != stream.name.lowercased() { continue }
            var rows: [SheetRow] = []
            while rows.count < Self.mostTitles, let row = try stream.nextRow() { rows.append(row) }
            let header = Self.header(in: rows, options)
            if header != nil || found == nil { found = (names.count - 1, stream, rows[(header ?? 0)...]) }
            if header != nil { break }
        }
        guard let found else {
            throw FileError(
                file: workbook.name,
                problem: "has no sheet \"\(options.sheet ?? "")\"; its sheets are \(names.joined(separator: ", "))")
        }
        (index, stream, ahead) = found
        firstRow = ahead.first?.number ?? 0
    }

    /// The first row with at least two known columns, or else with one: a title above the header has one cell.
    private static func header(in rows: [SheetRow], _ options: ReadingOptions) -> Int? {
        if options.columns != nil { return rows.isEmpty ? nil : 0 }
        let headers = rows.indices.filter { index in
            let fields = rows[index].fields
            if let mapping = options.mapping { return (try? ContactColumns(header: fields, mapping: mapping)) != nil }
            return (try? ContactColumns(header: fields)) != nil
        }
        return headers.first { rows[$0].fields.count { !$0.isEmpty } > 1 } ?? headers.first
            ?? rows.indices.first {
                // The content of the columns decides if no name is known.
                let below = rows[($0 + 1)...].map(\.fields)
                return (try? ContactColumns(header: rows[$0].fields, rows: below)) != nil
            }
    }

    /// The first rows below the header.
    var sample: [[String]] { ahead.map(\.fields) }

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
        try self.init(reader, options: options) { reader.sample }
    }
}
