/// The position of a reader in an escape. It starts after the backslash.
enum JSONEscape {
    case letter
    case digits(left: Int, unit: UInt16)
    /// A character above 16 bits has two escapes, high then low.
    case secondBackslash(high: UInt16)
    case secondLetter(high: UInt16)
    case secondDigits(left: Int, unit: UInt16, high: UInt16)

    /// Returns the escaped character after its last byte.
    mutating func take(_ byte: UInt8) throws(JSONError.Problem) -> Unicode.Scalar? {
        switch self {
        case .letter:
            if byte == UInt8(ascii: "u") {
                self = .digits(left: 4, unit: 0)
                return nil
            }
            return try Self.scalar(byte)
        case .digits(let left, let unit):
            let unit = unit << 4 | (try Self.digit(byte))
            guard left == 1 else {
                self = .digits(left: left - 1, unit: unit)
                return nil
            }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard unit < 0xDC00 else { throw .halfCharacter }
            self = .secondBackslash(high: unit)
        case .secondBackslash(let high):
            guard byte == .backslash else { throw .halfCharacter }
            self = .secondLetter(high: high)
        case .secondLetter(let high):
            guard byte == UInt8(ascii: "u") else { throw .halfCharacter }
            self = .secondDigits(left: 4, unit: 0, high: high)
        case .secondDigits(let left, let unit, let high):
            let unit = unit << 4 | (try Self.digit(byte))
            guard left == 1 else {
                self = .secondDigits(left: left - 1, unit: unit, high: high)
                return nil
            }
            guard (0xDC00...0xDFFF).contains(unit),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(high - 0xD800) << 10) + UInt32(unit - 0xDC00))
            else { throw .halfCharacter }
            return scalar
        }
        return nil
    }

    /// For a scan that leaves it to the parser to check pairs of halves. Returns true after the last byte.
    mutating func pass(_ byte: UInt8) throws(JSONError.Problem) -> Bool {
        guard case .digits(left: 1, _) = self else { return try take(byte) != nil }
        _ = try Self.digit(byte)
        return true
    }

    private static func scalar(_ letter: UInt8) throws(JSONError.Problem) -> Unicode.Scalar {
        switch letter {
        case .quote, .backslash, UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: throw .badEscape
        }
    }

    private static func digit(_ byte: UInt8) throws(JSONError.Problem) -> UInt16 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: throw .badEscape
        }
    }
}

/// The position of a reader in a character of several bytes: https://www.rfc-editor.org/rfc/rfc3629#section-4
struct UTF8Bytes {
    private var left = 0
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    var isWhole: Bool { left == 0 }

    mutating func take(_ byte: UInt8) throws(JSONError.Problem) {
        guard isWhole else {
            guard next.contains(byte) else { throw .notUTF8 }
            next = 0x80...0xBF
            left -= 1
            return
        }
        switch byte {
        case 0..<0x80: left = 0
        case 0xC2...0xDF: left = 1
        case 0xE0...0xEF: left = 2
        case 0xF0...0xF4: left = 3
        default: throw .notUTF8
        }
        switch byte {
        case 0xE0: next = 0xA0...0xBF
        case 0xED: next = 0x80...0x9F
        case 0xF0: next = 0x90...0xBF
        case 0xF4: next = 0x80...0x8F
        default: break
        }
    }
}
