/// Finds the fields of one record: https://www.rfc-editor.org/rfc/rfc4180
///
/// It only looks at bytes. All special bytes are ASCII, and UTF-8 uses ASCII bytes for nothing else.
struct RecordScan {
    enum Outcome: Equatable {
        case complete
        /// The bytes end before the record ends.
        case unfinished
        case refused(String)
    }

    /// The range of a field's text, without the quotes around it.
    struct Field {
        var range: Range<Int>
        /// True if it contains doubled quotes.
        var isEscaped = false
    }

    let delimiter: UInt8

    /// True if the bytes end at the end of the file.
    let isFinal: Bool

    /// True if a quoted field may continue on the next line.
    let mayCrossLines: Bool

    private(set) var fields: [Field] = []
    /// How far the scan went: after the line end of a complete record.
    private(set) var position = 0
    /// The reason why the record is invalid.
    var refusal: String?
    /// How many line ends the scan has passed, including the record's own.
    private(set) var lineEnds = 0

    /// `room` is an array that is used again for the fields, so that a million records need not allocate a million
    /// arrays.
    init(delimiter: UInt8, isFinal: Bool, mayCrossLines: Bool, room: consuming [Field]) {
        self.delimiter = delimiter
        self.isFinal = isFinal
        self.mayCrossLines = mayCrossLines
        room.removeAll(keepingCapacity: true)
        fields = room
    }

    mutating func run(over bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
        while true {
            if position < bytes.count, bytes[position] == .quote {
                if let outcome = readQuoted(bytes) { return outcome }
            } else {
                readPlain(bytes)
            }
            guard position < bytes.count else { return isFinal ? .complete : .unfinished }
            guard bytes[position] == delimiter else {
                return endLine(bytes) ? .complete : .unfinished
            }
            position += 1
        }
    }

    /// A quote inside an unquoted field is an ordinary character.
    private mutating func readPlain(_ bytes: UnsafeBufferPointer<UInt8>) {
        let start = position
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if byte == delimiter || byte == .lineFeed || byte == .carriageReturn { break }
            end &+= 1
        }
        fields.append(Field(range: start..<end))
        position = end
    }

    /// Returns nil after the closing quote.
    private mutating func readQuoted(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome? {
        position += 1
        var field = Field(range: position..<position)
        while position < bytes.count {
            switch bytes[position] {
            case .quote:
                let next = position + 1
                if next == bytes.count, !isFinal { return .unfinished }
                if next < bytes.count, bytes[next] == .quote {
                    field.isEscaped = true
                    position += 2
                    continue
                }
                field.range = field.range.lowerBound..<position
                fields.append(field)
                position = next
                let isClosed = next == bytes.count || bytes[next] == delimiter || bytes[next].isLineEnd
                return isClosed ? nil : .refused("there is text after a closing quote")
            case .lineFeed, .carriageReturn:
                guard mayCrossLines else { return .refused("a quote is not closed on its line, as often before it") }
                guard endLine(bytes) else { return .unfinished }
            default:
                position &+= 1
            }
        }
        return isFinal ? .refused("a quote is never closed") : .unfinished
    }

    /// Skips LF, CR LF or CR. Returns false if more bytes are needed to decide.
    private mutating func endLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let length = bytes.lineEnd(at: position, isFinal: isFinal) else { return false }
        position += length
        lineEnds += 1
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The length of the line end at `position`: 0 if there is none, nil if more bytes are needed to decide.
    func lineEnd(at position: Int, isFinal: Bool) -> Int? {
        guard position < count else { return isFinal ? 0 : nil }
        guard self[position] == .carriageReturn else { return self[position] == .lineFeed ? 1 : 0 }
        guard position + 1 < count else { return isFinal ? 1 : nil }
        return self[position + 1] == .lineFeed ? 2 : 1
    }
}

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")

    var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }
}
