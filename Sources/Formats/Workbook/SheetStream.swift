/// The rows of one sheet, in memory that does not grow with the sheet.
final class SheetStream {
    let entry: ZipFile.Entry
    let rows: any SheetRows
    private let zip: ZipFile
    private let contents: ZipContents
    private let parser: XMLStream
    /// The next of the rows that were parsed.
    private var next = 0
    private var isAtEnd = false
    private let keepsBytes: Bool
    /// Bytes of the document that were parsed, the position of the first, and how many of them were taken.
    private var kept: [UInt8] = []
    private var keptStart = 0
    private var taken = 0

    init(_ entry: ZipFile.Entry, of zip: ZipFile, _ rows: any SheetRows, keepsBytes: Bool) throws {
        (self.entry, self.zip, self.rows, self.keepsBytes) = (entry, zip, rows, keepsBytes)
        contents = try zip.contents(of: entry)
        parser = XMLStream(rows)
    }

    /// How many packed bytes were read.
    var bytesRead: Int { contents.bytesRead }

    /// The name of the sheet in an error.
    var name: String { rows.sheet ?? "" }

    /// Reads up to the start of the sheet. Returns false if the document has none.
    func hasSheet() throws -> Bool {
        while rows.sheet == nil, !isAtEnd { try parse() }
        return rows.sheet != nil
    }

    /// The next row with a value; nil at the end of the sheet.
    func nextRow() throws -> SheetRow? {
        while next == rows.rows.count {
            rows.rows.removeAll(keepingCapacity: true)
            next = 0
            if isAtEnd || rows.isEnded { return nil }
            try parse()
        }
        defer { next += 1 }
        return rows.rows[next]
    }

    private func parse() throws {
        do {
            if let piece = try contents.next() {
                if keepsBytes {
                    kept.removeFirst(taken)
                    kept += piece
                    (keptStart, taken) = (keptStart + taken, 0)
                }
                try parser.parse(piece)
            } else {
                isAtEnd = true
                try parser.parse([], isLast: true)
            }
        } catch is XMLStream.Malformed {
            throw zip.damage
        }
    }

    /// The bytes of the document up to `end`, without those that were taken before.
    func bytes(upTo end: Int) -> SheetBytes {
        let count = min(kept.count - taken, max(0, end - keptStart - taken))
        let bytes = SheetBytes(start: keptStart + taken, bytes: Array(kept[taken..<(taken + count)]))
        taken += count
        return bytes
    }

    /// The next bytes behind the last row; nil at the end.
    func rest() throws -> [UInt8]? {
        while taken == kept.count {
            if isAtEnd { return nil }
            try parse()
        }
        return bytes(upTo: .max).bytes
    }
}
