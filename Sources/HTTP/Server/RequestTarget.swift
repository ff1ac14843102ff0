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
        query = try Self.items(of: target[question...].dropFirst())
    }

    private static func segments(of path: ArraySlice<UInt8>) throws(HeadError) -> [String] {
        guard !path.isEmpty else { return [] }
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

    static func items(of query: ArraySlice<UInt8>) throws(HeadError) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            // A plus means a space only in a query: https://url.spec.whatwg.org/#urlencoded-parsing
            let spaced = item.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }[...]
            let equals = spaced.firstIndex(of: UInt8(ascii: "=")) ?? spaced.endIndex
            items.append((try text(spaced[..<equals]), try text(spaced[equals...].dropFirst())))
        }
        return items
    }

    private static func text(_ encoded: ArraySlice<UInt8>) throws(HeadError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var rest = encoded
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
                throw .malformed("The target of the request holds a percent sign that encodes nothing.")
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("The target of the request is not UTF-8 text.")
        }
        return text
    }
}

extension UInt8 {
    var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The body of a form: https://url.spec.whatwg.org/#application/x-www-form-urlencoded
package enum FormBody {
    /// The fields in their order; nil if the body is not a form in UTF-8.
    package static func fields(_ body: [UInt8]) -> [(name: String, value: String)]? {
        try? RequestTarget.items(of: body[...])
    }
}
