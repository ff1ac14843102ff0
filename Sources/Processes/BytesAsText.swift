// Bytes as text, and back.

extension [UInt8] {
    /// Two digits for each byte, in lower case.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.append(hexadecimal: self)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends two digits for each byte, in lower case.
    package mutating func append(hexadecimal bytes: [UInt8]) {
        for byte in bytes {
            append(Self.digit(byte >> 4))
            append(Self.digit(byte & 15))
        }
    }

    /// Nil unless the text consists of pairs of digits.
    package init?(hexadecimal text: [UInt8]) {
        guard text.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(text.count / 2)
        for place in stride(from: 0, to: text.count, by: 2) {
            guard let high = text[place].hexDigit, let low = text[place + 1].hexDigit else { return nil }
            append(high << 4 | low)
        }
    }

    private static func digit(_ number: UInt8) -> UInt8 { number < 10 ? 0x30 + number : 0x57 + number }

    /// https://www.rfc-editor.org/rfc/rfc4648#section-4
    package var base64: String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += (0...group.count).map { letters[bits >> (18 - 6 * $0) & 63] }
            text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The letters that need no escape in a URL, without padding: https://www.rfc-editor.org/rfc/rfc4648#section-5
    package var base64URL: String {
        base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension UInt8 {
    /// The number that this byte writes as a hexadecimal digit; nil if it is not one.
    package var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
