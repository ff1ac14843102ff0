extension CSVReader {
    /// Reads lines before the header, and returns the delimiter.
    mutating func readPreamble() throws -> UInt8 {
        try skipBlankLines()
        var header = try readHeader()
        if header.beginsNotes {
            try skipNotes()
            header = try readHeader()
        }
        guard let announced = header.announcedDelimiter else {
            return likelyDelimiter.flatMap { header.has($0) ? $0 : nil } ?? header.commonestDelimiter
        }
        isDelimiterAnnounced = true
        try skipLine()
        return announced
    }

    /// LinkedIn begins `Connections.csv` with a line `Notes:`, some text, and a blank line.
    private mutating func skipNotes() throws {
        repeat {
            lastRecord.removeAll(keepingCapacity: true)
            try skipLine()
            preamble.append(lastRecord)
            let isBlank = lastRecord.allSatisfy { HeaderLine.delimiters.contains($0) || $0 == UInt8(ascii: " ") }
            if try isBlank || skipLineEnd() {
                if !isBlank { preamble.append([]) }
                break
            }
        } while preamble.count < 50
        try skipBlankLines()
    }

    /// The first line that is not blank. It is not consumed.
    private mutating func readHeader() throws -> HeaderLine {
        while true {
            let header = window.withBytes(upTo: Self.longestRecord) { HeaderLine($0) }
            guard !header.isWhole, window.count < Self.longestRecord, try window.fill() else { return header }
        }
    }

    /// Goes to the start of the next line, and keeps as much of the current line as a valid record may have.
    mutating func skipLine() throws {
        while try !window.isEmpty {
            let length = window.withBytes { bytes in bytes.firstIndex(where: \.isLineEnd) ?? bytes.count }
            if lastRecord.count < Self.longestRecord {
                window.withBytes { lastRecord.append(contentsOf: $0[..<length]) }
            }
            window.drop(length)
            if try skipLineEnd() { return }
        }
    }

    mutating func skipBlankLines() throws {
        while try skipLineEnd() {}
    }

    /// Returns false if the next byte does not end a line.
    private mutating func skipLineEnd() throws -> Bool {
        guard try window.dropLineEnd() else { return false }
        line += 1
        return true
    }
}

/// The header line, read before the delimiter is known.
private struct HeaderLine {
    private(set) var isWhole = false
    /// Excel's first line `sep=;`.
    private(set) var announcedDelimiter: UInt8?
    /// True if the line is `Notes:`, perhaps with separators that a spreadsheet has added.
    private(set) var beginsNotes = false
    private var counts: [UInt8: Int] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var isQuoted = false
        var previous: UInt8?
        for (position, byte) in bytes.enumerated() {
            defer { previous = byte }
            switch byte {
            case .quote where isQuoted || (previous.map { $0 == .quote || Self.delimiters.contains($0) } ?? true):
                isQuoted.toggle()
            case .lineFeed where !isQuoted, .carriageReturn where !isQuoted:
                isWhole = true
                announcedDelimiter = Self.delimiter(announcedBy: bytes[..<position])
                beginsNotes = Self.isNotes(bytes[..<position])
                return
            case _ where !isQuoted && Self.delimiters.contains(byte): counts[byte, default: 0] += 1
            default: break
            }
        }
    }

    static let delimiters = [",", ";", "\t", "|"].map(UInt8.init(ascii:))

    /// The most frequent delimiter; the comma if there is a tie or only one column.
    var commonestDelimiter: UInt8 {
        Self.delimiters.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? Self.delimiters[0]
    }

    func has(_ delimiter: UInt8) -> Bool { counts[delimiter] != nil }

    private static func isNotes(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard line.count < 100 else { return false }
        let letters = line.filter { !delimiters.contains($0) && $0 != .quote && $0 != UInt8(ascii: " ") }
        return String(decoding: letters, as: UTF8.self).lowercased() == "notes:"
    }

    private static func delimiter(announcedBy line: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8? {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        guard text.hasPrefix("sep="), text.utf8.count == 5, let delimiter = text.utf8.last else { return nil }
        return delimiter == .quote || delimiter >= 0x80 ? nil : delimiter
    }
}
