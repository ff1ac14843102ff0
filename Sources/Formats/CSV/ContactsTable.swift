/// Reads the records of a table one by one: those of a CSV file, or of a sheet.
package protocol RecordReader {
    /// The path as it was given, or "standard input".
    var name: String { get }

    /// The size of the file in bytes; nil for a pipe.
    var totalSize: Int? { get }

    /// How many bytes of the file the records so far used.
    var bytesRead: Int { get }

    /// The next record, good or bad. The first is the header, if the table has one. Nil at the end.
    mutating func next() throws -> CSVRecord?

    /// The values of the last record, which has these fields, for a copy in another format. They include those next to
    /// the table.
    func values(of fields: [String]) -> [OutputColumn.Value]
}

package typealias ContactsCSV = ContactsTable<CSVReader>

/// Reads contacts from a table, one at a time.
///
///     var contacts = try ContactsCSV(path: "contacts.csv")
///     while let entry = try contacts.next() {
///         switch entry {
///         case .contact(_, let friend): friends.append(friend)
///         case .refused(let line, let reason), .noted(let line, let reason): print("line \(line): \(reason)")
///         }
///     }
package struct ContactsTable<Reader: RecordReader>: ContactReader {
    private(set) var reader: Reader
    let columns: ContactColumns
    /// True if the file has a header.
    let hasHeader: Bool
    /// The rows around the header.
    let head: TableHead
    /// False if the last row was a subtotal or a repeated header, which is only noted.
    private(set) var isContact = true
    /// The first record of a file without a header, until it is returned.
    private var first: CSVRecord?
    /// The fields of the last row, empty if it was not a good record.
    private(set) var lastFields: [String] = []
    /// For each address of the last contact, the index of its group in the header.
    private(set) var lastGroups: [Int] = []
    private let options: ReadingOptions
    private var keys = SourceKeys()
    private var lastKey: String?
    private var notes: [ContactEntry] = []
    /// Entries that were read but not returned yet.
    private var ahead: ArraySlice<ContactEntry> = []

    package init(_ reader: Reader, options: ReadingOptions = ReadingOptions()) throws {
        try self.init(reader, options: options, head: TableHead())
    }

    /// The next record of `reader` is the header. `head` has the rows around it, if the source can be read a second
    /// time.
    init(_ reader: Reader, options: ReadingOptions, head: TableHead) throws {
        var reader = reader
        if let names = options.columns {
            (columns, first) = try Self.columns(names, of: &reader)
            hasHeader = false
        } else {
            (columns, first) = try Self.readColumns(from: &reader, options.mapping, head)
            hasHeader = first == nil
        }
        (self.options, self.reader, self.head) = (options, reader, head)
    }

    package var name: String { reader.name }
    package var bytesRead: Int { reader.bytesRead }
    package var totalSize: Int? { reader.totalSize }

    /// The next contact, or the next row that is not a contact. Nil at the end of the file.
    ///
    /// If the file has a column `key`, as our own exports have, consecutive rows with the same key are one contact with
    /// several addresses.
    package mutating func next() throws -> ContactEntry? {
        let entry = try ahead.popFirst() ?? nextRow()
        guard columns.isExport, case .contact(let line, var friend)? = entry else { return entry }
        while let entry = try nextRow() {
            switch entry {
            case .contact(_, let more) where more.sourceKey.isExactly(friend.sourceKey):
                friend.addresses += more.addresses
            case .noted: ahead.append(entry)
            case .contact, .refused:
                ahead.append(entry)
                return .contact(line: line, friend)
            }
        }
        return .contact(line: line, friend)
    }

    /// The entry of the next row.
    mutating func nextRow() throws -> ContactEntry? {
        guard notes.isEmpty else { return notes.removeFirst() }
        lastFields = []
        defer { first = nil }
        switch try first ?? reader.next() {
        case .fields(let line, let fields):
            lastFields = fields
            return entry(line, fields)
        case .refused(let line, let reason): return .refused(line: line, reason: reason)
        case nil: return nil
        }
    }

    private mutating func entry(_ line: Int, _ fields: [String]) -> ContactEntry {
        if let reason = hasHeader ? columns.reasonAgainst(fields) : nil {
            isContact = false
            return .noted(line: line, reason: reason)
        }
        isContact = true
        do {
            return .contact(line: line, try friend(line, fields))
        } catch {
            return .refused(line: line, reason: error.reason)
        }
    }

    private mutating func friend(_ line: Int, _ fields: [String]) throws(UnusableContact) -> Friend {
        var row = try ContactRow(fields, columns: columns)
        row.readsLines = options.readsLines
        let (id, name, addresses) = (try row.id, try row.name, try row.addresses(country: options.country))
        guard !id.isEmpty || !name.isEmpty || !addresses.found.isEmpty else {
            throw UnusableContact(reason: addresses.notes.first ?? "it has neither a name nor an address")
        }
        let (first, last, nickname) = (try row.firstName, try row.lastName, try row.nickname)
        let key = try key(of: row, id: id, name: name, line: line)
        notes = addresses.notes.map { .noted(line: line, reason: $0) }
        lastGroups = addresses.groups
        return Friend(
            sourceKey: key, name: name, firstName: first, lastName: last, nickname: nickname,
            addresses: addresses.found)
    }

    private mutating func key(
        of row: ContactRow, id: String, name: String, line: Int
    ) throws(UnusableContact) -> String {
        let written = try row.key
        // The next address of the same friend.
        if !written.isEmpty, lastKey?.isExactly(written) == true { return written }
        let key = try keys.key(written: written, id: id, name: name, line: line)
        if !written.isEmpty { lastKey = key }
        return key
    }

    /// For a file without a header. Returns its first record too. Columns without a name are ignored.
    private static func columns(
        _ names: ColumnNames, of reader: inout Reader
    ) throws -> (ContactColumns, CSVRecord?) {
        let first = try reader.next()
        var header = names.names
        if case .fields(_, let fields)? = first, fields.count > header.count {
            header += Array(repeating: "", count: fields.count - header.count)
        }
        return (try ContactColumns(header: header), first)
    }

    /// Returns the first record too if it is not a header.
    private static func readColumns(
        from reader: inout Reader, _ mapping: ColumnMapping?, _ head: TableHead
    ) throws -> (ContactColumns, CSVRecord?) {
        let problem: String
        let record = try reader.next()
        switch record {
        case .fields(_, let header):
            do {
                let columns = try ContactColumns(header: header, head: head, mapping: mapping)
                let isContact = mapping == nil && columns.isGuessed && columns.isHeaderRow(likeThose: head.rows)
                return (columns, isContact ? record : nil)
            } catch { problem = "\(error)" }
        case .refused(let line, let reason): problem = "the header on line \(line) can't be read: \(reason)"
        case nil: problem = "is empty; its first line must name the columns"
        }
        throw FileError(file: reader.name, problem: problem)
    }
}

extension ContactsTable<CSVReader> {
    /// Opens the file at `path` and reads its header; `-` is standard input.
    package init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        var reader = try CSVReader(path: path, encoding: options.encoding)
        var head = TableHead()
        // A pipe can't be read twice.
        if path != "-", reader.totalSize != nil {
            let rows = try CSVReader.firstRows(ofFile: path, encoding: options.encoding)
            let header = TableHead.header(in: rows, isSheet: false, options) ?? 0
            try reader.passToPreamble(records: header)
            head = TableHead(rows, header: header)
        }
        try self.init(reader, options: options, head: head)
    }
}

extension CSVReader {
    /// The first rows of a file. A bad one is blank.
    fileprivate static func firstRows(ofFile path: String, encoding: TextEncoding) throws -> [[String]] {
        var reader = try CSVReader(path: path, encoding: encoding)
        var rows: [[String]] = []
        while rows.count < TableHead.size, let record = try reader.next() {
            if case .fields(_, let fields) = record { rows.append(fields) } else { rows.append([]) }
        }
        return rows
    }

    /// Makes the next records a part of what is before the table.
    fileprivate mutating func passToPreamble(records: Int) throws {
        for _ in 0..<records {
            _ = try next()
            preamble.append(lastRecord)
        }
    }
}
