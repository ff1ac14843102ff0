import Glibc

/// A received request.
package struct ScriptedRequest: Sendable {
    package let method: String
    /// The target of the first line, including the query. A proxy gets a whole URL here.
    package let target: String
    /// Decoded.
    package let path: String
    /// The items of the query, decoded.
    package let query: [String: String]
    /// The headers by their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]

    init?(head: String, body: [UInt8]) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = decoded(halves[0])
        let items = (halves.count > 1 ? halves[1] : "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(pair[0]), pair.count > 1 ? decoded(pair[1]) : "")
        }
        query = Dictionary(items) { $1 }
        headers = Dictionary(Self.fields(lines.dropFirst())) { "\($0), \($1)" }
        self.body = body
    }

    static func fields(_ lines: some Sequence<Substring>) -> [(String, String)] {
        lines.map { line in
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (pair[0].lowercased(), pair.count > 1 ? String(pair[1].drop { $0 == " " }) : "")
        }
    }
}

private func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2,
            let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            bytes.append(code)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Reads one request after the other from a connection.
struct RequestReader {
    private let connection: Int32
    private var bytes: [UInt8] = []

    init(_ connection: Int32) {
        self.connection = connection
    }

    /// Nil if the other side has closed the connection.
    mutating func next() -> ScriptedRequest? {
        var searched = 0
        while true {
            if let end = bytes[max(0, searched - 3)...].firstRange(of: Array("\r\n\r\n".utf8)) {
                return request(head: bytes[..<end.lowerBound], from: end.upperBound)
            }
            searched = bytes.count
            guard receive() else { return nil }
        }
    }

    private mutating func request(head: ArraySlice<UInt8>, from start: Int) -> ScriptedRequest? {
        let head = String(decoding: head, as: UTF8.self)
        let fields = ScriptedRequest.fields(head.split(separator: "\r\n").dropFirst())
        let size = fields.first { $0.0 == "content-length" }.flatMap { Int($0.1) } ?? 0
        while bytes.count < start + size {
            guard receive() else { return nil }
        }
        defer { bytes.removeFirst(start + size) }
        return ScriptedRequest(head: head, body: Array(bytes[start..<start + size]))
    }

    private mutating func receive() -> Bool {
        let buffer = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
            count = max(0, recv(connection, buffer.baseAddress, buffer.count, 0))
        }
        bytes += buffer
        return !buffer.isEmpty
    }
}
