/// Splits an XML document into tags and texts, one at a time, in memory that does not grow with the document.
///
/// It supports the part of XML (https://www.w3.org/TR/xml/) that a file of positions needs: names without their
/// prefixes, attributes, texts, CDATA, the five entities and numeric characters. Tags must close in order. A document
/// type with entities of its own is refused, because such entities can make a small file huge.
struct XMLTokens {
    enum Token {
        case opens(String, [(name: String, value: String)])
        case closes(String)
    }

    /// The present line.
    private(set) var line = 1
    /// The text since the last tag if `keepsText` is set, without CDATA markers and with its entities replaced.
    private(set) var text = ""
    var keepsText = false {
        didSet { text = "" }
    }
    /// The names of the open elements.
    private(set) var open: [String] = []
    var bytesRead: Int { dropped + start }

    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var dropped = 0
    private var isAtEnd = false
    /// True after an element `<a/>` has opened: it closes next.
    private var closesNext = false
    private var hasRoot = false

    /// The longest tag, and the longest text that is kept.
    private static let longest = 1 << 20
    private static let chunk = 256 << 10

    init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.read = read }

    /// Returns the next tag; nil at the end.
    mutating func next() throws -> Token? {
        if closesNext {
            closesNext = false
            return .closes(open.removeLast())
        }
        while true {
            guard try passText() else {
                guard open.isEmpty, hasRoot else { throw HistoryError(line: line, "the XML ends in the middle") }
                return nil
            }
            if try begins(with: "<!--") {
                try pass(4, upTo: "-->")
            } else if try begins(with: "<![CDATA[") {
                try passCharacterData()
            } else if try begins(with: "<?") {
                try pass(2, upTo: "?>")
            } else if try begins(with: "<!") {
                try passDocumentType()
            } else {
                return try tag()
            }
        }
    }

    // MARK: Between tags

    /// Skips everything up to the next tag. Returns false at the end.
    private mutating func passText() throws -> Bool {
        var isPlain = true
        while true {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            if keepsText {
                // An entity may be cut in two, so the text is replaced as a whole.
                if end == bytes.count, !isAtEnd {
                    guard end - start < Self.longest else { throw HistoryError(line: line, "a text is too long") }
                    try fill()
                    continue
                }
                text += try Self.unescaped(bytes[start..<end], line: line)
            } else if open.isEmpty {
                isPlain = isPlain && bytes[start..<end].allSatisfy { $0 <= 0x20 }
            }
            guard isPlain else { throw HistoryError(line: line, "there is text outside of the XML's first element") }
            drop(to: end)
            if start < bytes.count { return true }
            guard try fill() else { return false }
        }
    }

    private mutating func passCharacterData() throws {
        drop(to: start + 9)
        while true {
            let end = bytes[start...].firstRange(of: Array("]]>".utf8))?.lowerBound
            // The end marker may be cut in two.
            let safe = end ?? max(start, bytes.count - 2)
            if keepsText { text += String(decoding: bytes[start..<safe], as: UTF8.self) }
            guard text.utf8.count < Self.longest else { throw HistoryError(line: line, "a text is too long") }
            drop(to: safe)
            if end != nil { return drop(to: start + 3) }
            guard try fill() else { throw HistoryError(line: line, "the XML ends in the middle") }
        }
    }

    private mutating func pass(_ length: Int, upTo sign: StaticString) throws {
        drop(to: start + length)
        while true {
            if let end = bytes[start...].firstRange(of: sign.bytes)?.upperBound { return drop(to: end) }
            drop(to: max(start, bytes.count - 2))
            guard try fill() else { throw HistoryError(line: line, "the XML ends in the middle") }
        }
    }

    private mutating func passDocumentType() throws {
        let end = try tagEnd()
        guard !bytes[start..<end].contains(UInt8(ascii: "[")) else {
            throw HistoryError(line: line, "the XML declares entities of its own, which are not read")
        }
        drop(to: end)
    }

    // MARK: Tags

    private mutating func tag() throws -> Token {
        let end = try tagEnd()
        var tag = bytes[(start + 1)..<(end - 1)]
        defer { drop(to: end) }
        if tag.first == UInt8(ascii: "/") {
            let name = Self.name(&tag, from: 1)
            guard tag.allSatisfy(\.isXMLSpace), open.last == name else {
                throw HistoryError(line: line, "a tag closes what is not open")
            }
            open.removeLast()
            return .closes(name)
        }
        let isEmpty = tag.last == UInt8(ascii: "/")
        if isEmpty { tag.removeLast() }
        let name = Self.name(&tag, from: 0)
        guard !name.isEmpty, !(open.isEmpty && hasRoot) else { throw HistoryError(line: line, "it is not XML") }
        guard open.count < 200 else { throw HistoryError(line: line, "elements are nested deeper than 200") }
        hasRoot = true
        let attributes = try attributes(in: tag)
        open.append(name)
        closesNext = isEmpty
        return .opens(name, attributes)
    }

    /// Removes a name from the tag, and returns it without its prefix.
    private static func name(_ tag: inout ArraySlice<UInt8>, from offset: Int) -> String {
        tag = tag.dropFirst(offset)
        let whole = tag.prefix { !$0.isXMLSpace && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") }
        tag = tag.dropFirst(whole.count)
        let local = whole.firstIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
        return String(decoding: local, as: UTF8.self)
    }

    private func attributes(in tag: ArraySlice<UInt8>) throws -> [(name: String, value: String)] {
        var rest = tag.drop(while: \.isXMLSpace)
        var found: [(name: String, value: String)] = []
        while !rest.isEmpty {
            let name = Self.name(&rest, from: 0)
            rest = rest.drop(while: \.isXMLSpace)
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else {
                throw HistoryError(line: line, "an attribute has no value")
            }
            rest = rest.drop(while: \.isXMLSpace)
            guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.firstIndex(of: quote)
            else { throw HistoryError(line: line, "an attribute's value is not in quotes") }
            found.append((name, try Self.unescaped(rest[..<end], line: line)))
            rest = rest[(end + 1)...].drop(while: \.isXMLSpace)
        }
        return found
    }

    /// Returns the index behind the tag that begins here; a `>` in quotes does not end it.
    private mutating func tagEnd() throws -> Int {
        var (offset, quote) = (1, UInt8(0))
        while true {
            while start + offset < bytes.count {
                let byte = bytes[start + offset]
                offset += 1
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return start + offset
                }
            }
            guard offset < Self.longest else { throw HistoryError(line: line, "a tag is too long") }
            guard try fill() else { throw HistoryError(line: line, "the XML ends in the middle") }
        }
    }

    private static func unescaped(_ text: ArraySlice<UInt8>, line: Int) throws -> String {
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        var (plain, rest) = (String(), text)
        while let sign = rest.firstIndex(of: UInt8(ascii: "&")) {
            plain += String(decoding: rest[..<sign], as: UTF8.self)
            guard let end = rest[sign...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(of: String(decoding: rest[(sign + 1)..<end], as: UTF8.self))
            else { throw HistoryError(line: line, "there is an & that begins no character") }
            plain.unicodeScalars.append(scalar)
            rest = rest[(end + 1)...]
        }
        return plain + String(decoding: rest, as: UTF8.self)
    }

    private static func scalar(of entity: String) -> Unicode.Scalar? {
        switch entity {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default:
            entity.hasPrefix("#x")
                ? UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
                : entity.hasPrefix("#") ? UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init) : nil
        }
    }

    // MARK: Bytes

    private mutating func begins(with sign: StaticString) throws -> Bool {
        while bytes.count - start < sign.utf8CodeUnitCount, try fill() {}
        return bytes[start...].starts(with: sign.bytes)
    }

    /// Reads more bytes. Returns false if there are none.
    @discardableResult
    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        bytes.removeSubrange(..<start)
        dropped += start
        start = 0
        let count = bytes.count
        bytes += [UInt8](repeating: 0, count: Self.chunk)
        let got = try bytes.withUnsafeMutableBytes { try read(UnsafeMutableRawBufferPointer(rebasing: $0[count...])) }
        bytes.removeSubrange((count + got)...)
        isAtEnd = got == 0
        return !isAtEnd
    }

    private mutating func drop(to end: Int) {
        line += bytes[start..<end].reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        start = end
    }
}

extension StaticString {
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
