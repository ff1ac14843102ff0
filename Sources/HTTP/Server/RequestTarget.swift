import Processes

/// The parsed target of a request, between its method and version: `/v1/friends/7?limit=10`.
///
/// Parsing is strict: if two programs parse one path differently, access checks can be bypassed.
struct RequestTarget {
    /// The segments, percent-decoded; none is `.` or `..`. A slash in a segment was encoded and is part of a name: only
    /// a parameter of a route can match it.
    let path: [String]
    let query: [(name: String, value: String)]

    init(_ target: [UInt8]) throws(HeadError) {
        guard target.first == UInt8(ascii: "/") else { throw .malformed("The target of the request is not a path.") }
        guard target.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("The target of the request holds a character that must be percent-encoded.")
        }
        let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        path = try Self.segments(of: target[1..<question])
        query = try Self.items(of: target[question...].dropFirst(), atMost: Self.mostItems)
    }

    /// No route has that many.
    private static let mostSegments = 32
    private static let mostItems = 256

    private static func segments(of path: ArraySlice<UInt8>) throws(HeadError) -> [String] {
        guard !path.isEmpty else { return [] }
        guard path.count(where: { $0 == UInt8(ascii: "/") }) < mostSegments else {
            throw HeadError(414, "The path has more than \(mostSegments) segments.")
        }
        var segments: [String] = []
        for raw in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let segment = try text(raw)
            guard segment != ".", segment != ".." else { throw .malformed("The path holds a \".\" or \"..\".") }
            guard segment.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .malformed("The path holds a control character.")
            }
            segments.append(segment)
        }
        return segments
    }

    /// The items of a query or of a form. Empty items are left out.
    static func items(
        of query: ArraySlice<UInt8>, atMost most: Int
    ) throws(HeadError) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        var rest = query
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[item.endIndex...].dropFirst()
            guard !item.isEmpty else { continue }
            guard items.count < most else { throw HeadError(414, "The query has more than \(most) parameters.") }
            // A plus means a space only in a query: https://url.spec.whatwg.org/#urlencoded-parsing
            let spaced = item.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }[...]
            let equals = spaced.firstIndex(of: UInt8(ascii: "=")) ?? spaced.endIndex
            items.append((try text(spaced[..<equals]), try text(spaced[equals...].dropFirst())))
        }
        return items
    }

    private static func text(_ encoded: ArraySlice<UInt8>) throws(HeadError) -> String {
        guard let bytes = [UInt8](percentEncoded: encoded) else {
            throw .malformed("The target of the request holds a percent sign that encodes nothing.")
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("The target of the request is not UTF-8 text.")
        }
        return text
    }
}

/// Returns whether the bytes are a host with an optional port: `example.org:80`, `[2001:db8::7]`.
///
/// https://www.rfc-editor.org/rfc/rfc3986#section-3.2, without a user, and without a comma: two lines of `Host` that a
/// proxy has joined have one.
func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    if rest.first == UInt8(ascii: "[") {
        let address = rest.dropFirst().prefix {
            $0.hexDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
        rest = rest[address.endIndex...]
        guard rest.popFirst() == UInt8(ascii: "]"), address.count(where: { $0 == UInt8(ascii: ":") }) > 1,
            AddressRange.address(String(decoding: address, as: UTF8.self)[...]) != nil
        else { return false }
    } else {
        let host = rest.prefix { $0 != UInt8(ascii: ":") }
        rest = rest[host.endIndex...]
        guard !host.isEmpty, host.indices.allSatisfy({ isOfHost(host[$0...]) }) else { return false }
    }
    guard let colon = rest.popFirst() else { return true }
    return colon == UInt8(ascii: ":")
        && (rest.isEmpty || rest.allSatisfy { 0x30...0x39 ~= $0 } && Int(rest, radix: 10) ?? .max <= 65_535)
}

/// True if the first byte may be in the name of a host: RFC 3986, 3.2.2.
private func isOfHost(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    return switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
    case UInt8(ascii: "%"): bytes.count > 2 && bytes.dropFirst().prefix(2).allSatisfy { $0.hexDigit != nil }
    default: "-._~!$&'()*+;=".utf8.contains(first)
    }
}

extension Int {
    /// The number that the digits write; nil if one of them is not a digit, or the number is too large.
    init?(_ digits: some Sequence<UInt8>, radix: Int) {
        var number = 0
        for byte in digits {
            guard let digit = byte.hexDigit, digit < radix else { return nil }
            let (product, isOver) = number.multipliedReportingOverflow(by: radix)
            let (sum, isOverToo) = product.addingReportingOverflow(Int(digit))
            guard !isOver, !isOverToo else { return nil }
            number = sum
        }
        self = number
    }
}

/// The body of a form: https://url.spec.whatwg.org/#application/x-www-form-urlencoded
package enum FormBody {
    private static let mostFields = 1_000

    /// The fields in their order; nil if the body is not a form in UTF-8.
    package static func fields(_ body: [UInt8]) -> [(name: String, value: String)]? {
        try? RequestTarget.items(of: body[...], atMost: mostFields)
    }
}
