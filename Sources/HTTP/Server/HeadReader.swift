import CMicrohttpd

/// Reads the head of a request out of libmicrohttpd, and sees whether that understood it as it was sent.
///
/// Up to 0.9.77 it ends a line at a bare line feed, and takes a NUL for the end of a value or of the whole head;
/// what stands behind it, nobody sees. But it reads in place: where nothing is amiss, each line begins where the one
/// before it ended and a CRLF. So the places are enough to know, and nothing behind a NUL has to be looked at.
struct HeadReader {
    private let method: String
    private let version: String
    private let start: UInt
    private var headers = HTTPHeaders()
    /// Where the next line begins if all is well; nil once it wasn't.
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

    /// White space at the end is none of the value (RFC 9112, 5).
    private static func trimmed(_ value: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        let end = value.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return value[..<(end.map { $0 + 1 } ?? value.startIndex)]
    }

    /// From 1.0 on it is strict by itself.
    private static let isLax = String(cString: MHD_get_version()).hasPrefix("0.")
}
