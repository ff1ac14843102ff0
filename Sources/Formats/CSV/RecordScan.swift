/// Finds where the fields of one record begin and end: https://www.rfc-editor.org/rfc/rfc4180
///
/// It only looks at bytes. Every byte that means something is ASCII, which UTF-8 uses for nothing else.
struct RecordScan {
    enum Outcome: Equatable {
        case complete
        /// The bytes end before the record does.
        case unfinished
        case refused(String)
    }

    /// Where a field's text is, without the quotes around it.
    struct Field {
        var range: Range<Int>
        /// Whether quotes in it are doubled.
        var isEscaped = false
    }

    let delimiter: UInt8

    /// Whether the bytes end where the file does.
    let isFinal: Bool

    /// Whether a quoted field may go on after the end of its line.
    let mayCrossLines: Bool

    private(set) var fields: [Field] = []
    /// How far it looked: after the line end of a complete record.
    private(set) var position = 0
    /// How many line ends it saw, its own among them.
    private(set) var lineEnds = 0

    /// `room` is an array to put the fields in, so that a million records need not make a million.
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

    /// A quote within is one like any other character.
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

    /// Returns nil when it got past the closing quote.
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

    /// Steps over LF, CR LF or CR. Returns false when more bytes must tell which.
    private mutating func endLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let length = bytes.lineEnd(at: position, isFinal: isFinal) else { return false }
        position += length
        lineEnds += 1
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The length of the line end at `position`: 0 where there is none, nil when more bytes must tell.
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
