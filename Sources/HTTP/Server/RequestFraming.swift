/// Parses a client's bytes, and is the only code that does so. It does no I/O.
///
/// It refuses a request that two programs could frame differently: https://www.rfc-editor.org/rfc/rfc9112#section-11.2
struct RequestFraming {
    enum Part {
        case head(RequestHead, RequestHead.Body)
        /// A piece of the body.
        case body([UInt8])
        case end
    }

    private enum Place {
        /// The first line of a request, or an empty one before it.
        case start
        case field
        case body(left: Int)
        case chunkLine
        case chunk(left: Int)
        case chunkEnd
        case trailer
    }

    private let largestHead: Int
    private var place = Place.start
    /// How many bytes of the current line were searched for its end.
    private var searched = 0
    /// The size of the preceding lines of the head or of the trailer.
    private var size = 0
    private(set) var head = RequestHead()

    private static let mostFields = 500
    private static let longestChunkLine = 256
    private static let largestTrailer = 4 << 10

    init(largestHead: Int) {
        self.largestHead = largestHead
    }

    /// Takes bytes up to the end of the next part. Returns how many, and the part. Without a part it needs more bytes
    /// after those that it did not take.
    mutating func next(in bytes: UnsafeRawBufferPointer) throws(HeadError) -> (taken: Int, part: Part?) {
        var start = 0
        while true {
            switch place {
            case .body(left: 0):
                place = .start
                return (start, .end)
            case .body(let left):
                let end = min(bytes.count, start + left)
                guard end > start else { return (start, nil) }
                place = .body(left: left - (end - start))
                return (end, .body(Array(bytes[start..<end])))
            case .chunk(let left):
                let end = min(bytes.count, start + left)
                guard end > start else { return (start, nil) }
                place = end - start == left ? .chunkEnd : .chunk(left: left - (end - start))
                return (end, .body(Array(bytes[start..<end])))
            case .start, .field, .chunkLine, .chunkEnd, .trailer:
                guard let end = try endOfLine(UnsafeRawBufferPointer(rebasing: bytes[start...])) else {
                    return (start, nil)
                }
                let line = UnsafeRawBufferPointer(rebasing: bytes[start..<start + end])
                start += end + 2
                if let part = try read(line) { return (start, part) }
                size += line.count + 2
            }
        }
    }

    /// The index of the CRLF that ends the line; nil if it is not there yet.
    private mutating func endOfLine(_ bytes: UnsafeRawBufferPointer) throws(HeadError) -> Int? {
        let found = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
        try checkLength(found ?? bytes.count)
        guard let found else {
            searched = bytes.count
            return nil
        }
        searched = 0
        guard found > 0, bytes[found - 1] == UInt8(ascii: "\r") else {
            throw .malformed("A line ends without a carriage return.")
        }
        guard bytes[..<(found - 1)].allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }) else {
            throw .malformed("A line of the request holds a control character.")
        }
        return found - 1
    }

    private func checkLength(_ count: Int) throws(HeadError) {
        switch place {
        case .start where size + count > largestHead: throw HeadError(414, "The target of the request is too long.")
        case .field where size + count > largestHead: throw tooLarge
        case .trailer where size + count > Self.largestTrailer: throw tooLarge
        case .chunkLine where count > Self.longestChunkLine:
            throw .malformed("The line of a chunk is longer than \(Self.longestChunkLine) bytes.")
        case .chunkEnd where count > 1: throw .malformed("A chunk of the body is longer than it says.")
        default: break
        }
    }

    private var tooLarge: HeadError { HeadError(431, "The head of the request is too long.") }

    /// Returns the part that ends with the line.
    private mutating func read(_ line: UnsafeRawBufferPointer) throws(HeadError) -> Part? {
        switch place {
        case .start:
            // An empty line may follow the previous request: RFC 9112, 2.2.
            if !line.isEmpty { try readRequestLine(line) }
        case .field where line.isEmpty: return try endHead()
        case .field:
            let (name, value) = try field(line)
            guard head.headers.fields.count < Self.mostFields else { throw tooLarge }
            head.headers.append(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        case .chunkLine:
            let size = try chunkSize(line)
            (place, self.size) = (size == 0 ? .trailer : .chunk(left: size), 0)
        case .chunkEnd: place = .chunkLine
        case .trailer where line.isEmpty:
            (place, size) = (.start, 0)
            return .end
        case .trailer: _ = try field(line)
        case .body, .chunk: break
        }
        return nil
    }

    private mutating func readRequestLine(_ line: UnsafeRawBufferPointer) throws(HeadError) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty, Self.isVersion(words[2]) else {
            throw .malformed("The request does not begin with a method, a target and a version.")
        }
        head = RequestHead(
            method: String(decoding: words[0], as: UTF8.self), target: Array(words[1]),
            version: String(decoding: words[2], as: UTF8.self))
        place = .field
    }

    private mutating func endHead() throws(HeadError) -> Part {
        let body = try head.body()
        switch body {
        case .none: place = .start
        case .length(let length): place = .body(left: length)
        case .chunked: place = .chunkLine
        }
        defer { (head, size) = (RequestHead(), 0) }
        return .head(head, body)
    }

    private func field(
        _ line: UnsafeRawBufferPointer
    ) throws(HeadError) -> (name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(\.isTokenCharacter)
        else { throw .malformed("A line of the head is no header field.") }
        let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        let value = line[(colon + 1)...]
        guard let first = value.firstIndex(where: isText), let last = value.lastIndex(where: isText) else {
            return (line[..<colon], value.prefix(0))
        }
        return (line[..<colon], value[first...last])
    }

    private func chunkSize(_ line: UnsafeRawBufferPointer) throws(HeadError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard !digits.isEmpty, digits.allSatisfy({ $0.hexDigit != nil }) else {
            throw .malformed("A chunk of the body does not begin with its size.")
        }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw HeadError(413, "A chunk of the body is too long.")
        }
        return size
    }

    /// `HTTP/` and two digits with a dot between them.
    private static func isVersion(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        let pattern = "HTTP/0.0".utf8
        return word.count == pattern.count
            && zip(word, pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == wanted
            }
    }
}
