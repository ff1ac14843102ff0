/// Reads the records of a CSV file one by one, in memory that does not grow with the file.
///
/// Comma, semicolon, tab or pipe, whichever the header has most of; quoted fields with line ends in them; any kind of line
/// end; with or without a byte order mark. Blank lines are no records.
///
/// A bad record is a value, not the end, and costs the line on which it starts and no other: reading goes on at the
/// next line, or one stray quote would swallow the rest of the file.
package struct CSVReader {
    var window: ByteWindow
    private let input: TextInput

    /// The line on which the next record starts.
    var line = 1
    private(set) var delimiter: UInt8?
    /// Whether a line before the header said so.
    var isDelimiterAnnounced = false
    /// Lines before the header that belong to no table, such as LinkedIn's notes.
    var preamble: [[UInt8]] = []
    /// Where a header has any, it separates the columns whatever else there is more of.
    let likelyDelimiter: UInt8?
    /// Whether the file begins with a byte order mark.
    var hasMark: Bool { input.source.hasMark }

    /// The bytes of the record that was read last, without its line end; of a bad one, those of its line.
    var lastRecord: [UInt8] = []
    /// What ended the good record that was read last; nothing at the end of the file.
    private(set) var lastLineEnd: [UInt8] = []

    private var room: [RecordScan.Field] = []

    /// How many bytes may still be read a second time. A file whose every line opens a quote could otherwise make
    /// the whole longest record be read again for each of them, and take hours.
    private var patience = 64 << 20

    /// The longest record, with its quotes. Without a bound, a stray quote would bring all of the file into memory.
    static let longestRecord = 1 << 20

    /// Opens the file at `path`; `-` is standard input.
    package init(path: String, encoding: TextEncoding = .automatic) throws {
        let delimiter = SourceFormat.isTabbed(path) ? UInt8(ascii: "\t") : nil
        self.init(try TextInput(path: path, encoding: encoding), likelyDelimiter: delimiter)
    }

    /// Reads `bytes` as if they came from a file, `chunkSize` at a time.
    package init(_ bytes: [UInt8], chunkSize: Int = 256 << 10, encoding: TextEncoding = .automatic) {
        self.init(TextInput(bytes, chunkSize: chunkSize, encoding: encoding), likelyDelimiter: nil)
    }

    private init(_ input: TextInput, likelyDelimiter: UInt8?) {
        self.input = input
        self.likelyDelimiter = likelyDelimiter
        window = input.window
    }

    /// How large the file is. Nil for a pipe.
    package var totalSize: Int? { input.totalSize }

    /// As the person wrote it, or "standard input".
    package var name: String { input.name }

    /// How much of the file the records so far took; about, where it is not UTF-8.
    package var bytesRead: Int { input.bytesRead(before: window.count) }

    /// The next record, good or bad. Nil at the end of the file.
    package mutating func next() throws -> CSVRecord? {
        let delimiter = try self.delimiter ?? readPreamble()
        self.delimiter = delimiter
        try skipBlankLines()
        while try !window.isEmpty {
            var scan = RecordScan(
                delimiter: delimiter, isFinal: window.isFinal(upTo: Self.longestRecord), mayCrossLines: patience > 0,
                room: room)
            let outcome = window.withBytes(upTo: Self.longestRecord) { scan.run(over: $0) }
            room = scan.fields
            switch outcome {
            case .complete: return take(scan)
            case .refused(let reason): return try refuse(scan, reason)
            case .unfinished:
                guard window.count < Self.longestRecord else {
                    return try refuse(scan, "the record is longer than 1 MiB; a quote may be missing")
                }
                try window.fill()
            }
        }
        return nil
    }

    private mutating func take(_ scan: RecordScan) -> CSVRecord {
        keepRecord(of: scan.position)
        defer {
            window.drop(scan.position)
            line += scan.lineEnds
        }
        do {
            return .fields(
                line: line,
                try window.withBytes { bytes throws(UnreadableText) in
                    try scan.fields.map { field throws(UnreadableText) in try bytes.text(of: field) }
                })
        } catch {
            return .refused(line: line, reason: error.reason)
        }
    }

    private mutating func refuse(_ scan: RecordScan, _ reason: String) throws -> CSVRecord {
        if scan.lineEnds > 0 { patience -= scan.position }
        let start = line
        lastRecord.removeAll(keepingCapacity: true)
        try skipLine()
        return .refused(line: start, reason: reason)
    }

    private mutating func keepRecord(of length: Int) {
        lastRecord.removeAll(keepingCapacity: true)
        window.withBytes { lastRecord.append(contentsOf: $0[..<length]) }
        var end = lastRecord.endIndex
        if lastRecord.last == .lineFeed { end -= 1 }
        if end > 0, lastRecord[end - 1] == .carriageReturn { end -= 1 }
        lastLineEnd = Array(lastRecord[end...])
        lastRecord.removeSubrange(end...)
    }
}
