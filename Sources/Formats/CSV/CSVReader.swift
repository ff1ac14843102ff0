/// Reads the records of a CSV file one by one, in memory that does not grow with the file.
///
/// The delimiter is a comma, semicolon, tab or pipe: the one that is most frequent in the header. Quoted fields may
/// contain line ends. Lines may end in any way, and a byte order mark is optional. Blank lines are skipped.
///
/// A bad record is returned as a value and does not end the reading. It covers only the line on which it starts, and
/// the next record starts on the next line. Otherwise one stray quote would consume the rest of the file.
package struct CSVReader: RecordReader {
    var window: ByteWindow
    private let input: TextInput

    /// The line on which the next record starts.
    var line = 1
    private(set) var delimiter: UInt8?
    /// True if a line before the header named the delimiter.
    var isDelimiterAnnounced = false
    /// Lines before the header that are not part of the table, such as LinkedIn's notes.
    var preamble: [[UInt8]] = []
    /// If a header contains this delimiter, it is used even if another one is more frequent.
    let likelyDelimiter: UInt8?
    /// True if the file begins with a byte order mark.
    var hasMark: Bool { input.source.hasMark }

    /// The encoding, as far as the bytes that were read show it.
    var encoding: FileEncoding { input.source.found ?? FileEncoding(.utf8, hasMark: hasMark) }

    /// The bytes of the last record without its line end. For a bad record, those of its line.
    var lastRecord: [UInt8] = []
    /// The line end of the last good record; empty at the end of the file.
    private(set) var lastLineEnd: [UInt8] = []

    private var room: [RecordScan.Field] = []

    /// The number of bytes that may still be read a second time. Without this limit, a file in which every line opens a
    /// quote would take hours: for each line the longest possible record would be read again.
    private var patience = 64 << 20

    /// The longest record, including its quotes. Without this limit, a stray quote would load the whole file into
    /// memory.
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

    /// Reads `bytes`, with a delimiter that is known.
    init(_ bytes: [UInt8], encoding: TextEncoding, delimiter: UInt8?) {
        self.init(bytes, encoding: encoding)
        self.delimiter = delimiter
    }

    init(_ input: TextInput, likelyDelimiter: UInt8? = nil) {
        self.input = input
        self.likelyDelimiter = likelyDelimiter
        window = input.window
    }

    /// The size of the file; nil for a pipe.
    package var totalSize: Int? { input.totalSize }

    /// The path as it was given, or "standard input".
    package var name: String { input.name }

    /// How many bytes of the file the records so far used; approximate if the file is not UTF-8.
    package var bytesRead: Int { input.bytesRead(before: window.count) }

    /// The next record, good or bad. Nil at the end of the file.
    package mutating func next() throws -> CSVRecord? {
        guard let scan = try nextScan() else { return nil }
        if let reason = scan.refusal { return try refuse(scan, reason) }
        return take(scan)
    }

    /// A line that can't be split into fields is one value. All values are texts, as they are written.
    package func values(of fields: [String]) -> [OutputColumn.Value] {
        (fields.isEmpty ? [String(decoding: lastRecord, as: UTF8.self)] : fields).map { .text($0) }
    }

    /// The fields of the next record, as ranges of its bytes. Nil at the end of the file. For large files of which
    /// few columns are read: no text is created.
    mutating func nextFields<Value>(
        _ body: (UnsafeBufferPointer<UInt8>, [RecordScan.Field]) throws -> Value
    ) throws -> RecordFields<Value>? {
        guard let scan = try nextScan() else { return nil }
        if let reason = scan.refusal {
            _ = try refuse(scan, reason)
            return .refused
        }
        defer { pass(scan) }
        return .fields(try window.withBytes { bytes in try body(bytes, scan.fields) })
    }

    /// The scan of the next record, complete or refused. The record is not consumed yet.
    private mutating func nextScan() throws -> RecordScan? {
        let delimiter = try self.delimiter ?? readPreamble()
        self.delimiter = delimiter
        try skipBlankLines()
        while try !window.isEmpty {
            // Two references to the array would copy it for each record.
            var own: [RecordScan.Field] = []
            swap(&own, &room)
            var scan = RecordScan(
                delimiter: delimiter, isFinal: window.isFinal(upTo: Self.longestRecord), mayCrossLines: patience > 0,
                room: own)
            switch window.withBytes(upTo: Self.longestRecord, { scan.run(over: $0) }) {
            case .complete: return scan
            case .refused(let reason):
                scan.refusal = reason
                return scan
            case .unfinished:
                guard window.count < Self.longestRecord else {
                    scan.refusal = "the record is longer than 1 MiB; a quote may be missing"
                    return scan
                }
                room = scan.fields
                try window.fill()
            }
        }
        return nil
    }

    private mutating func take(_ scan: RecordScan) -> CSVRecord {
        keepRecord(of: scan.position)
        defer { pass(scan) }
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

    /// Consumes a complete record.
    private mutating func pass(_ scan: RecordScan) {
        window.drop(scan.position)
        line += scan.lineEnds
        room = scan.fields
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

/// A record of which some fields were read.
enum RecordFields<Value> {
    case fields(Value)
    case refused
}

/// One record of a CSV file, or the reason why it is invalid.
package enum CSVRecord: Hashable, Sendable {
    /// `line` is the physical line on which the record starts.
    case fields(line: Int, [String])

    /// The reason never contains a field's content, which may be an address.
    case refused(line: Int, reason: String)
}
