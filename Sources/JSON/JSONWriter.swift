/// Writes JSON directly into bytes, for data that is written ten thousand times a second: without `Codable` and without
/// a tree.
///
/// Each text has its shortest form: `\n` instead of `\u000a`, and only the escapes that JSON requires.
package struct JSONWriter {
    private var bytes: [UInt8] = []

    /// Returns the bytes of the value that `write` writes.
    package static func bytes(_ write: (inout Self) throws -> Void) rethrows -> [UInt8] {
        var writer = Self()
        writer.bytes.reserveCapacity(512)
        try write(&writer)
        return writer.bytes
    }

    package static func text(_ write: (inout Self) throws -> Void) rethrows -> String {
        String(decoding: try bytes(write), as: UTF8.self)
    }

    package mutating func object(_ members: (inout Self) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "{"))
        try members(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func list<Item>(_ items: some Sequence<Item>, _ each: (inout Self, Item) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "["))
        for item in items { try each(&self, item) }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes a member. Its value is written by `write`.
    package mutating func member(_ name: String, _ write: (inout Self) throws -> Void) rethrows {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        try write(&self)
    }

    /// A member's name in the form in which it is written. Made once for the life of the process, so that writing costs
    /// no escaping and counts no references.
    ///
    /// Unchecked: the bytes are written before `init` returns, and then never changed or freed.
    package struct Key: @unchecked Sendable {
        /// Begins with a comma.
        fileprivate let bytes: UnsafeBufferPointer<UInt8>

        package init(_ name: String) {
            var writer = JSONWriter()
            writer.quote(name)
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: writer.bytes.count + 2)
            _ = copy.initialize(from: [UInt8(ascii: ",")] + writer.bytes + [UInt8(ascii: ":")])
            bytes = UnsafeBufferPointer(copy)
        }
    }

    /// Writes the name of a member. Its value must follow.
    package mutating func key(_ key: Key) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: key.bytes[(isAfterValue ? 0 : 1)...]))
    }

    package mutating func object(_ name: String, _ members: (inout Self) throws -> Void) rethrows {
        try member(name) { try $0.object(members) }
    }

    package mutating func list<Item>(
        _ name: String, _ items: some Sequence<Item>, _ each: (inout Self, Item) throws -> Void
    ) rethrows {
        try member(name) { try $0.list(items, each) }
    }

    package mutating func member(_ name: String, _ value: String?) { member(name) { $0.value(value) } }
    package mutating func member(_ name: String, _ value: Int?) { member(name) { $0.value(value) } }
    package mutating func member(_ name: String, _ value: Double?) { member(name) { $0.value(value) } }
    package mutating func member(_ name: String, _ value: Bool) { member(name) { $0.value(value) } }
    /// `number` is already in JSON's notation.
    package mutating func member(_ name: String, number: String) { member(name) { $0.literal(number) } }
    package mutating func null(_ name: String) { member(name) { $0.literal("null") } }

    package mutating func value(_ text: String?) {
        guard let text else { return literal("null") }
        separate()
        quote(text)
    }

    package mutating func value(_ bool: Bool) { literal(bool ? "true" : "false") }

    package mutating func value(_ number: Int?) {
        guard let number else { return literal("null") }
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(number.magnitude)
    }

    private mutating func digits(_ number: UInt) {
        if number >= 10 { digits(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Writes a number that is already in JSON's notation.
    package mutating func number(_ text: String) { literal(text) }

    /// JSON has no number for infinity and NaN, so they become null.
    package mutating func value(_ number: Double?) {
        literal(number.flatMap { $0.isFinite ? $0.description : nil } ?? "null")
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a comma if needed.
    private mutating func separate() {
        if isAfterValue { bytes.append(UInt8(ascii: ",")) }
    }

    /// No value ends in one of these bytes, so after them comes the first of its kind.
    private var isAfterValue: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }

    /// https://www.rfc-editor.org/rfc/rfc8259#section-7
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            guard !utf8.contains(where: \.isEscapedInJSON) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain {
            for byte in text.utf8 {
                switch byte {
                case .quote, .backslash: bytes += [.backslash, byte]
                case 0x08: bytes += [.backslash, UInt8(ascii: "b")]
                case 0x09: bytes += [.backslash, UInt8(ascii: "t")]
                case 0x0A: bytes += [.backslash, UInt8(ascii: "n")]
                case 0x0C: bytes += [.backslash, UInt8(ascii: "f")]
                case 0x0D: bytes += [.backslash, UInt8(ascii: "r")]
                case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension UInt8 {
    fileprivate var isEscapedInJSON: Bool { self < 0x20 || self == .quote || self == .backslash }
}

extension JSONWriter {
    /// Returns a text of this writer with each member and each item on a line of its own. Values nested deeper than
    /// `levels` stay on the line of what contains them.
    package static func indented(_ text: [UInt8], levels: Int = .max) -> [UInt8] {
        var (result, depth, isQuoted, isEscaped) = ([UInt8](), 0, false, false)
        func startLine() {
            if depth <= levels {
                result += [UInt8(ascii: "\n")] + Array(repeating: UInt8(ascii: " "), count: depth * 2)
            }
        }
        for byte in text {
            if isQuoted {
                result.append(byte)
                isQuoted = isEscaped || byte != .quote
                isEscaped = !isEscaped && byte == .backslash
                continue
            }
            let isFirst = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(result.last)
            switch byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                let isOnLines = !isFirst && depth <= levels
                depth -= 1
                if isOnLines { startLine() }
            case _ where isFirst: startLine()
            default: break
            }
            result.append(byte)
            switch byte {
            case .quote: isQuoted = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ","): if depth <= levels { startLine() } else { result.append(UInt8(ascii: " ")) }
            case UInt8(ascii: ":"): result.append(UInt8(ascii: " "))
            default: break
            }
        }
        return result
    }
}
