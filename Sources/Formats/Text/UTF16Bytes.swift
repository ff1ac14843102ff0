/// Converts UTF-16 that arrives in pieces. A piece may end inside a letter.
struct UTF16Bytes {
    let isBigEndian: Bool
    private var half: UInt8?
    /// The first unit of a surrogate pair.
    private var high: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// The text of `bytes` in UTF-8. An invalid unit becomes U+FFFD.
    mutating func text(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        var text: [UInt8] = []
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            append(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first), to: &text)
        }
        return text[...]
    }

    /// Called at the end of the input. A remaining half letter becomes U+FFFD.
    mutating func end() -> ArraySlice<UInt8> {
        defer { (half, high) = (nil, nil) }
        return half == nil && high == nil ? [] : Array("\u{FFFD}".utf8)[...]
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let first = high {
            high = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                text += Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
                return
            }
            text += "\u{FFFD}".utf8
        }
        if UTF16.isLeadSurrogate(unit) {
            high = unit
        } else {
            text += String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8
        }
    }
}
