import CMicrohttpd

/// Reads the head of a request from libmicrohttpd, and checks that libmicrohttpd parsed it as it was sent.
///
/// Up to 0.9.77, libmicrohttpd ends a line at a bare line feed. It also takes a NUL for the end of a value or of the
/// whole head, and hides the bytes after it. But it parses in place: in a correct head each line starts where the one
/// before it ended plus a CRLF. So the addresses of the values are enough for the check.
struct HeadReader {
    private let method: String
    private let version: String
    private let start: UInt
    private var headers = HTTPHeaders()
    /// Where the next line must start; nil after a mismatch.
    private var next: UInt?

    init(
        _ method: UnsafePointer<CChar>, _ target: ServerExchange.TargetLine, _ version: UnsafePointer<CChar>
    ) {
        self.method = String(cString: method)
        self.version = String(cString: version)
        start = UInt(bitPattern: method)
        let end = target.address + UInt(target.bytes.count)
        let isInPlace =
            start + UInt(self.method.utf8.count) + 1 == target.address && end + 1 == UInt(bitPattern: version)
        next = isInPlace ? UInt(bitPattern: version) + UInt(self.version.utf8.count) + 2 : nil
    }

    mutating func read(_ raw: OpaquePointer) throws(HeadError) -> RequestHead {
        withUnsafeMutablePointer(to: &self) { own in
            _ = MHD_get_connection_values_n(
                raw, .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    context?.assumingMemoryBound(to: HeadReader.self).pointee.add(
                        UnsafeRawBufferPointer(start: name, count: nameCount),
                        UnsafeRawBufferPointer(start: value, count: valueCount))
                    return .YES
                }, own)
        }
        guard !Self.isLax || next.map({ $0 + 2 }) == start + UInt(connection_header_size(raw)) else {
            throw .malformed("A line of the head ends too early, or goes on in the next.")
        }
        return RequestHead(method: method, version: version, headers: headers)
    }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let place = UInt(bitPattern: name.baseAddress)
        next = next == place ? UInt(bitPattern: value.baseAddress) + UInt(value.count) + 2 : nil
        headers.append(String(decoding: name, as: UTF8.self), String(decoding: Self.trimmed(value), as: UTF8.self))
    }

    /// Trailing white space is not part of the value (RFC 9112, 5).
    private static func trimmed(_ value: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        let end = value.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return value[..<(end.map { $0 + 1 } ?? value.startIndex)]
    }

    /// From 1.0 on libmicrohttpd is strict itself.
    private static let isLax = String(cString: MHD_get_version()).hasPrefix("0.")
}

/// A request that no handler answers: the status, and a sentence for the client.
struct HeadError: Error, Equatable {
    let status: Int
    let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    static func malformed(_ sentence: String) -> Self { Self(400, sentence) }
}
