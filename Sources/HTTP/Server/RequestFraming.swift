/// Reads a client's bytes before libmicrohttpd gets them, to find where each request ends.
///
/// It refuses requests that two programs could frame differently, so libmicrohttpd never gets them. Up to 0.9.77,
/// libmicrohttpd accepts a bare line feed as the end of a line and answers a long chunk line with 500. It writes its
/// errors in HTML, and some of them twice.
struct RequestFraming: Sendable {
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

    struct Reading {
        /// How many bytes come before the refused request.
        var accepted: Int
        var refusal: HeadError?
    }

    /// How many requests have been read to their end.
    private(set) var finished = 0

    /// The request target, once its line was read.
    private(set) var target: [UInt8] = []

    private let largestHead: Int
    private var place = Place.start
    /// The part of the current line that was read.
    private var line: [UInt8] = []
    /// The size of the preceding lines of the head or of the trailer.
    private var size = 0
    /// The memory that libmicrohttpd needs in addition for its notes about the head.
    private var notes = 0
    private var method = ""
    private var version = ""
    /// The header fields that decide the framing.
    private var fields = HTTPHeaders()

    /// libmicrohttpd has one block of memory for each connection. It contains the head, a note for each field,
    /// parameter and cookie, and then the part of the body that is being read and the head of the response.
    static func memory(forHead largest: Int) -> Int { largest + 32 << 10 }
    private static let note = 80
    private static let mostForNotes = 8 << 10
    private static let longestChunkLine = 256
    private static let largestTrailer = 4 << 10

    init(largestHead: Int) {
        self.largestHead = largestHead
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        var next = 0
        var begin = 0
        do throws(HeadError) {
            while next < bytes.count {
                let (count, isWhole) = try step(UnsafeRawBufferPointer(rebasing: bytes[next...]))
                next += count
                guard isWhole else { continue }
                finished += 1
                (begin, size, target) = (next, 0, [])
            }
            return Reading(accepted: bytes.count)
        } catch {
            return Reading(accepted: begin, refusal: error)
        }
    }

    /// Consumes bytes. Returns how many, and whether the request ends with them.
    private mutating func step(_ bytes: UnsafeRawBufferPointer) throws(HeadError) -> (count: Int, isWhole: Bool) {
        switch place {
        case .body(let left):
            let count = min(left, bytes.count)
            place = count == left ? .start : .body(left: left - count)
            return (count, count == left)
        case .chunk(let left):
            let count = min(left, bytes.count)
            place = count == left ? .chunkEnd : .chunk(left: left - count)
            return (count, false)
        case .start, .field, .chunkLine, .chunkEnd, .trailer:
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            line.append(contentsOf: bytes[..<(end ?? bytes.endIndex)])
            try checkLength()
            guard let end else { return (bytes.count, false) }
            guard line.popLast() == UInt8(ascii: "\r") else {
                throw .malformed("A line ends without a carriage return.")
            }
            guard line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }) else {
                throw .malformed("A line of the request holds a control character.")
            }
            let isWhole = try takeLine()
            size += line.count + 2
            line.removeAll(keepingCapacity: true)
            return (end + 1, isWhole)
        }
    }

    private func checkLength() throws(HeadError) {
        switch place {
        case .start where size + line.count > largestHead:
            throw HeadError(414, "The target of the request is too long.")
        case .field where size + line.count > largestHead: throw tooLarge
        case .trailer where size + line.count > Self.largestTrailer: throw tooLarge
        case .chunkLine where line.count > Self.longestChunkLine:
            throw .malformed("The line of a chunk is longer than \(Self.longestChunkLine) bytes.")
        case .chunkEnd where line.count > 1: throw .malformed("A chunk of the body is longer than it says.")
        default: break
        }
    }

    private var tooLarge: HeadError { HeadError(431, "The head of the request is too long.") }

    /// Returns whether the request ends with the line.
    private mutating func takeLine() throws(HeadError) -> Bool {
        switch place {
        case .start:
            // An empty line may follow the previous request: RFC 9112, 2.2.
            if !line.isEmpty { try takeRequestLine() }
            return false
        case .field where line.isEmpty: return try takeEndOfHead()
        case .field: try takeField()
        case .chunkLine:
            let size = try chunkSize()
            (place, self.size) = size == 0 ? (.trailer, 0) : (.chunk(left: size), 0)
        case .chunkEnd: place = .chunkLine
        case .trailer where line.isEmpty:
            place = .start
            return true
        case .trailer: _ = try fieldName()
        case .body, .chunk: break
        }
        return false
    }

    private mutating func takeRequestLine() throws(HeadError) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty, words[2].isVersion else {
            throw .malformed("The request does not begin with a method, a target and a version.")
        }
        method = String(decoding: words[0], as: UTF8.self)
        target = Array(words[1])
        version = String(decoding: words[2], as: UTF8.self)
        fields = [:]
        notes = 0
        try addNotes(1 + line.count { $0 == UInt8(ascii: "&") })
        place = .field
    }

    private mutating func takeField() throws(HeadError) {
        let colon = try fieldName()
        let name = String(decoding: line[..<colon], as: UTF8.self)
        if Self.framing.contains(where: { name.isNamed($0) }) {
            let value = line[(colon + 1)...].trimmed
            fields.append(name, String(decoding: value, as: UTF8.self))
        }
        try addNotes(1)
        guard name.isNamed("Cookie") else { return }
        // libmicrohttpd also copies the whole Cookie header.
        notes += line.count
        try addNotes(line.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") })
    }

    private static let framing = ["Host", "Content-Length", "Transfer-Encoding"]

    /// Returns the index after the name.
    private func fieldName() throws(HeadError) -> Int {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            String(decoding: line[..<colon], as: UTF8.self).isToken
        else { throw .malformed("A line of the head is no header field.") }
        return colon
    }

    private mutating func addNotes(_ count: Int) throws(HeadError) {
        notes += count * Self.note
        guard size + line.count + notes <= largestHead + Self.mostForNotes else { throw tooLarge }
    }

    private mutating func takeEndOfHead() throws(HeadError) -> Bool {
        switch try RequestHead(method: method, version: version, headers: fields).body() {
        case .none:
            place = .start
            return true
        case .length(let length): place = .body(left: length)
        case .chunked: place = .chunkLine
        }
        return false
    }

    private func chunkSize() throws(HeadError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else {
            throw .malformed("A chunk of the body does not begin with its size.")
        }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw HeadError(413, "A chunk of the body is too long.")
        }
        return size
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// `HTTP/` and two digits with a dot between them.
    fileprivate var isVersion: Bool {
        let pattern = Array("HTTP/0.0".utf8)
        return count == pattern.count
            && zip(self, pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == wanted
            }
    }

    /// The line without the white space around it.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else { return [] }
        return self[first...last]
    }
}
