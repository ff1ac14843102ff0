import Glibc
import Processes

/// Parses a client's bytes, and is the only code that does so. It does no I/O.
///
/// It refuses a request that two programs could frame differently: https://www.rfc-editor.org/rfc/rfc9112#section-11.2
package struct RequestFraming {
    package enum Part {
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
    private let largestBody: Int
    private var place = Place.start
    /// How many bytes of the current line were searched for its end.
    private var searched = 0
    /// The size of the preceding lines of the head or of the trailer.
    private var size = 0
    package private(set) var head = RequestHead()

    private static let mostFields = 500
    private static let longestChunkLine = 256
    private static let largestTrailer = 4 << 10
    /// The data of small chunks is joined to pieces. A piece has at most this many bytes more than its last chunk, and
    /// at most this many chunks.
    private static let piece = (bytes: 8 << 10, chunks: 256)

    package init(largestHead: Int, largestBody: Int) {
        (self.largestHead, self.largestBody) = (largestHead, largestBody)
    }

    /// Takes bytes up to the end of the next part. Returns how many, and the part. Without a part it needs more bytes
    /// after those that it did not take.
    package mutating func next(in bytes: UnsafeRawBufferPointer) throws(HeadError) -> (taken: Int, part: Part?) {
        var start = 0
        var (piece, chunks) = ([UInt8](), 0)
        while true {
            switch place {
            case .body(left: 0):
                place = .start
                return (start, .end)
            case .body(let left):
                let count = min(bytes.count - start, left)
                guard count > 0 else { return (start, nil) }
                place = .body(left: left - count)
                return (start + count, .body(Array(bytes[start..<start + count])))
            case .chunk(let left):
                let count = min(bytes.count - start, left)
                piece.append(contentsOf: bytes[start..<start + count])
                start += count
                chunks += 1
                place = count == left ? .chunkEnd : .chunk(left: left - count)
                let isEnough = count < left || chunks >= Self.piece.chunks || piece.count >= Self.piece.bytes
                if isEnough { return (start, piece.isEmpty ? nil : .body(piece)) }
            case .trailer where !piece.isEmpty: return (start, .body(piece))
            case .start, .field, .chunkLine, .chunkEnd, .trailer:
                guard let end = try endOfLine(UnsafeRawBufferPointer(rebasing: bytes[start...])) else {
                    return (start, piece.isEmpty ? nil : .body(piece))
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
        let found = bytes.firstIndex(of: UInt8(ascii: "\n"), from: searched)
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
        case .chunkEnd where count > 1: throw .malformed("A chunk of the body is longer than its size.")
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
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty, let version = HTTPVersion(words[2]) else {
            throw .malformed("The request does not begin with a method, a target and a version.")
        }
        head = RequestHead(
            method: String(decoding: words[0], as: UTF8.self), target: Array(words[1]), version: version)
        place = .field
    }

    private mutating func endHead() throws(HeadError) -> Part {
        let body = try head.body(upTo: largestBody)
        try head.resolveTarget()
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
        else { throw .malformed("A line of the head is not a header field.") }
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
        guard let size = Int(digits, radix: 16), size <= largestBody else { throw .tooLong(limit: largestBody) }
        return size
    }
}

/// The versions that are served. A later minor version is served as 1.1: RFC 9110, 2.5.
package enum HTTPVersion: Sendable {
    case one
    case oneOne
    case other

    /// Nil unless the word is `HTTP/` and two digits with a dot between them.
    init?(_ word: Slice<UnsafeRawBufferPointer>) {
        let bytes = Array(word.prefix(9))
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[6] == UInt8(ascii: "."),
            (0x30...0x39).contains(bytes[5]), (0x30...0x39).contains(bytes[7])
        else { return nil }
        self = bytes[5] != 0x31 ? .other : bytes[7] == 0x30 ? .one : .oneOne
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard let baseAddress, start < count else { return nil }
        return memchr(baseAddress + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - baseAddress }
    }
}
