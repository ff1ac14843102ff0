/// A key that was pressed.
package enum Key: Hashable, Sendable {
    case character(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case enter, escape, backspace, tab
}

/// Turns the bytes that a terminal sends into keys.
///
/// A special key is ESC and more bytes, usually sent together. An ESC with nothing after it is the key itself:
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-PC-Style-Function-Keys
struct KeyReader: Sendable {
    private var rest: [UInt8] = []

    package init() {}

    /// The keys in these bytes, which were read together. An incomplete character waits for the next bytes.
    package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        rest += bytes
        var keys: [Key] = []
        while let first = rest.first {
            if first == 0x1B {
                keys += takeSequence()
            } else if let length = Self.length(of: first) {
                guard rest.count >= length else { break }
                keys += Self.key(String(decoding: rest.prefix(length), as: UTF8.self))
                rest.removeFirst(length)
            } else {
                rest.removeFirst()
            }
        }
        return keys
    }

    private mutating func takeSequence() -> [Key] {
        guard rest.count > 1, rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else {
            rest.removeFirst()
            return [.escape]
        }
        let end = rest.dropFirst(2).firstIndex { 0x40...0x7E ~= $0 }
        let parameters = String(decoding: rest[2..<(end ?? rest.count)], as: UTF8.self)
        let last = end.map { rest[$0] }
        rest.removeFirst(end.map { $0 + 1 } ?? rest.count)
        let key: Key? =
            switch (last.map { Character(Unicode.Scalar($0)) }, parameters) {
            case ("A", _): .up
            case ("B", _): .down
            case ("C", _): .right
            case ("D", _): .left
            case ("H", _), ("~", "1"), ("~", "7"): .home
            case ("F", _), ("~", "4"), ("~", "8"): .end
            case ("~", "5"): .pageUp
            case ("~", "6"): .pageDown
            default: nil
            }
        return key.map { [$0] } ?? []
    }

    private static func key(_ text: String) -> [Key] {
        switch text {
        case "\r", "\n": [.enter]
        case "\t": [.tab]
        case "\u{7F}", "\u{8}": [.backspace]
        default: text.unicodeScalars.first.map { $0.value < 0x20 } ?? true ? [] : text.map { .character($0) }
        }
    }

    /// How many bytes a UTF-8 character with this first byte has; nil if it can't be a first byte.
    private static func length(of first: UInt8) -> Int? {
        switch first {
        case ..<0x80: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }
}
