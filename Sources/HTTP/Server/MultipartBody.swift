import Glibc
import Processes

/// The parts of a form with files: https://www.rfc-editor.org/rfc/rfc7578
///
/// Parsing is strict, because another reader could find other parts in the same bytes.
package struct MultipartBody: Sendable {
    package struct Part: Sendable {
        package let name: String
        /// Nil if the part is a field.
        package let fileName: String?
        package let content: ArraySlice<UInt8>
    }

    package let parts: [Part]

    package static let mostParts = 256
    /// The most bytes of a part's head.
    package static let longestHead = 8 << 10

    /// `type` is the value of `Content-Type`.
    package init(_ body: [UInt8], type: String) throws(MultipartError) {
        guard let boundary = Self.boundary(in: type) else {
            throw MultipartError("the header Content-Type has no valid boundary")
        }
        let mark = Array("\r\n--\(boundary)".utf8)
        // The first mark may stand at the very start, without the line end.
        var isEnd = false
        var place: Int
        if body.starts(with: mark[2...]) {
            place = mark.count - 2
        } else if let first = Self.find(mark, in: body, from: 0) {
            place = first.upperBound
        } else {
            throw MultipartError("the boundary does not occur")
        }
        var parts: [Part] = []
        while true {
            (place, isEnd) = try Self.endOfMark(in: body, at: place)
            if isEnd { break }
            guard parts.count < Self.mostParts else {
                throw MultipartError("there are more than \(Self.mostParts) parts")
            }
            let start = try Self.head(of: body, at: place)
            guard let next = Self.find(mark, in: body, from: start.content) else {
                throw MultipartError("the last boundary is missing, so the end may be too")
            }
            parts.append(
                Part(name: start.name, fileName: start.fileName, content: body[start.content..<next.lowerBound]))
            place = next.upperBound
        }
        self.parts = parts
    }

    /// 1 to 70 characters of ASCII: https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
    private static func boundary(in type: String) -> String? {
        guard let (_, items) = parameters(of: Array(type.utf8)[...]) else { return nil }
        let found = items.filter { $0.name == "boundary" }.map(\.value)
        guard found.count == 1, let boundary = found.first, 1...70 ~= boundary.count, boundary.last != 0x20,
            boundary.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return nil }
        return String(decoding: boundary, as: UTF8.self)
    }

    private static func find(_ mark: [UInt8], in body: [UInt8], from start: Int) -> Range<Int>? {
        body.withUnsafeBytes { bytes -> Range<Int>? in
            var place = start
            while place < bytes.count, bytes.count - place >= mark.count, let base = bytes.baseAddress,
                let next = memchr(base + place, Int32(UInt8.carriageReturn), bytes.count - place)
            {
                place = next - UnsafeMutableRawPointer(mutating: base)
                guard bytes.count - place >= mark.count else { return nil }
                if memcmp(base + place, mark, mark.count) == 0 { return place..<place + mark.count }
                place += 1
            }
            return nil
        }
    }

    /// The place behind the line of a boundary that ends at `place`, and whether it is the last one.
    private static func endOfMark(in body: [UInt8], at place: Int) throws(MultipartError) -> (Int, Bool) {
        let rest = body[place...]
        if rest.starts(with: "--".utf8) { return (place + 2, true) }
        let end = rest.prefix(longestHead).firstIndex { $0 != 0x20 && $0 != 0x09 } ?? rest.endIndex
        guard rest[end...].starts(with: "\r\n".utf8) else {
            throw MultipartError("a line begins with the boundary and continues")
        }
        return (end + 2, false)
    }

    /// Reads the head of a part, up to its empty line.
    private static func head(
        of body: [UInt8], at start: Int
    ) throws(MultipartError) -> (name: String, fileName: String?, content: Int) {
        var (place, disposition) = (start, ArraySlice<UInt8>?.none)
        while true {
            let window = body[place..<min(body.count, start + longestHead)]
            guard let end = window.firstIndex(where: \.isLineEnd), body[end...].starts(with: "\r\n".utf8) else {
                throw MultipartError("the head of a part is longer than \(longestHead) bytes, or has no CRLF")
            }
            let line = body[place..<end]
            place = end + 2
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].allSatisfy(\.isTokenCharacter)
            else {
                throw MultipartError("the head of a part has a line that is not a field")
            }
            let value = line[(colon + 1)...].trimmed
            if line[..<colon].isNamed("Content-Disposition") {
                guard disposition == nil else { throw MultipartError("a part has two Content-Disposition") }
                disposition = value
            } else if line[..<colon].isNamed("Content-Transfer-Encoding") {
                guard ["7bit", "8bit", "binary"].contains(where: { value.isNamed($0) }) else {
                    throw MultipartError("a part is encoded for mail")
                }
            }
        }
        guard let disposition, let (kind, items) = parameters(of: disposition), kind.isNamed("form-data") else {
            throw MultipartError("a part has no valid Content-Disposition")
        }
        let (name, fileName) = try names(in: items)
        return (name, fileName, place)
    }

    private static func names(in items: [Parameter]) throws(MultipartError) -> (String, String?) {
        var texts: [String: String] = [:]
        for (name, value) in items {
            let text: String?
            if name == "filename*" {
                // https://www.rfc-editor.org/rfc/rfc8187, which some programs use although RFC 7578 forbids it.
                let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3, parts[0].isNamed("utf-8") else { continue }
                text = [UInt8](percentEncoded: parts[2]).flatMap { String(validating: $0, as: UTF8.self) }
            } else {
                text = String(validating: value, as: UTF8.self)
            }
            guard let text, !text.utf8.contains(0), texts.updateValue(text, forKey: name) == nil else {
                throw MultipartError("a part has a name twice, or one that is not UTF-8")
            }
        }
        guard let name = texts["name"], !name.isEmpty else { throw MultipartError("a part has no name") }
        return (name, texts["filename*"] ?? texts["filename"])
    }

    private typealias Parameter = (name: String, value: [UInt8])

    /// Reads `form-data; name="a"`. Nil if that is not the form of the value.
    private static func parameters(of value: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, [Parameter])? {
        let kind = value.prefix { $0 != UInt8(ascii: ";") }
        var (rest, items) = (value[kind.endIndex...], [Parameter]())
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            if rest.isEmpty { break }
            let name = rest.prefix(while: \.isTokenCharacter)
            rest = rest[name.endIndex...]
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let text = text(at: &rest) else { return nil }
            items.append((String(decoding: name, as: UTF8.self).lowercased(), text))
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        }
        return rest.isEmpty ? (kind.trimmed, items) : nil
    }

    /// Reads a token, or a text in quotes. Only a quote and a backslash are escaped by a backslash: an old browser sends
    /// `C:\list.csv`. Browsers write a quote and line ends as `%22`, `%0D` and `%0A`.
    private static func text(at rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.first == .quote else {
            let token = rest.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 && $0 != .quote }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : Array(token)
        }
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == .quote { return text }
            if byte == UInt8(ascii: "\\"), let next = rest.first, next == .quote || next == byte {
                rest = rest.dropFirst()
                text.append(next)
            } else if byte == UInt8(ascii: "%"), let escaped = [UInt8](percentEncoded: [byte] + rest.prefix(2)),
                let one = escaped.first, one == .quote || one.isLineEnd
            {
                rest = rest.dropFirst(2)
                text.append(one)
            } else {
                text.append(byte)
            }
        }
        return nil
    }
}

/// The reason why a body is not a form. It contains nothing of the body.
package struct MultipartError: Error, Hashable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate var isLineEnd: Bool { self == .carriageReturn || self == UInt8(ascii: "\n") }
}
