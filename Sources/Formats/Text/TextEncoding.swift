/// The encoding of a text file.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    /// UTF-16 if there is its byte order mark, else UTF-8 if the bytes are valid, else Windows-1252.
    case automatic
    case utf8 = "utf-8"
    case windows1252 = "windows-1252"
    case utf16 = "utf-16"
}

/// The encoding of Excel and old address books in Western Europe and America:
/// https://encoding.spec.whatwg.org/#windows-1252
///
/// ISO 8859-1 is read as Windows-1252 too, as in browsers: the two differ only in unused control characters.
enum Windows1252 {
    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case 0..<0x80: text.append(byte)
        case 0x80..<0xA0: text += UTF8.encode(high[Int(byte) - 0x80]).map(Array.init) ?? []
        default: text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
        }
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The byte of a letter; nil if the encoding lacks it.
    static func byte(of letter: Unicode.Scalar) -> UInt8? {
        switch letter.value {
        case 0..<0x80, 0xA0...0xFF: UInt8(letter.value)
        default: high.firstIndex(of: letter).map { UInt8(0x80 + $0) }
        }
    }

    /// The bytes 80 to 9F. Five of them are not letters and stay control characters.
    private static let high = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
