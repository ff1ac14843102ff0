import Processes

// https://www.rfc-editor.org/rfc/rfc3986#section-2

extension String {
    /// All characters except the unreserved ones as `%XX`, so also a space and a plus.
    package var percentEncoded: String {
        var encoded: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default: encoded += "%\([byte].hexadecimal.uppercased())".utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The text with the bytes that each `%XX` encodes. Nil if a percent sign encodes nothing, or if the result is not
    /// UTF-8.
    package var percentDecoded: String? {
        [UInt8](percentEncoded: utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// The bytes that a text with `%XX` encodes. Nil if a percent sign encodes nothing.
    init?(percentEncoded text: some Sequence<UInt8>) {
        self = []
        reserveCapacity(text.underestimatedCount)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                append(byte)
                continue
            }
            guard let high = rest.next()?.hexDigit, let low = rest.next()?.hexDigit else { return nil }
            append(high << 4 | low)
        }
    }
}
