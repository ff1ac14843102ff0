extension VCardProperty {
    /// The decoded value as text, still with its backslash escapes.
    func text(_ encoding: TextEncoding) throws(ContactRow.Refusal) -> String {
        guard !line.isCut else { throw refusal("is longer than 256 KiB") }
        let encodings = values(of: "ENCODING").map { String(decoding: $0, as: UTF8.self).uppercased() }
        guard !encodings.contains("BASE64"), !encodings.contains("B") else { throw refusal("is in base64") }
        let bytes = line.isQuotedPrintable ? Self.unquoted(value) : value
        guard let text = String(bytes, charset: try charset ?? encoding) else {
            throw refusal("is not valid UTF-8; if the file is Windows-1252, use --encoding windows-1252")
        }
        guard !text.utf8.contains(0) else { throw refusal("has a NUL byte in it") }
        return text
    }

    /// A parameter's decoded text: https://www.rfc-editor.org/rfc/rfc6868
    func parameter(_ name: String, _ encoding: TextEncoding) -> String? {
        guard let text = values(of: name).first.flatMap({ String($0, charset: encoding) }), !text.utf8.contains(0)
        else { return nil }
        var plain = ""
        var isEscaped = false
        for character in VCardText.unescaped(text) {
            switch (isEscaped, character) {
            case (false, "^"): isEscaped = true
            case (true, "n"): (plain, isEscaped) = (plain + "\n", false)
            case (true, "'"): (plain, isEscaped) = (plain + "\"", false)
            case (true, "^"): (plain, isEscaped) = (plain + "^", false)
            case (true, _): (plain, isEscaped) = (plain + "^\(character)", false)
            default: plain.append(character)
            }
        }
        return isEscaped ? plain + "^" : plain
    }

    func refusal(_ problem: String) -> ContactRow.Refusal {
        ContactRow.Refusal(reason: "its \(name.word) \(problem)")
    }

    private var charset: TextEncoding? {
        get throws(ContactRow.Refusal) {
            guard let charset = values(of: "CHARSET").first else { return nil }
            switch String(decoding: charset, as: UTF8.self).uppercased() {
            case "UTF-8", "UTF8", "US-ASCII", "ASCII": return .utf8
            case "ISO-8859-1", "ISO8859-1", "LATIN1", "WINDOWS-1252", "CP1252": return .windows1252
            default: throw refusal("is in another charset than UTF-8, ISO-8859-1 and Windows-1252")
            }
        }
    }

    /// https://www.rfc-editor.org/rfc/rfc2045#section-6.7
    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), let (high, low) = digits(rest.prefix(2)) {
                bytes.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes[...]
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> (UInt8, UInt8)? {
        let digits = bytes.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        return digits.count == 2 ? (digits[0], digits[1]) : nil
    }
}

extension String {
    /// Nil if the bytes are not valid in `charset`.
    fileprivate init?(_ bytes: some Collection<UInt8>, charset: TextEncoding) {
        if charset != .windows1252, let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else if charset == .windows1252 || charset == .automatic {
            self = Windows1252.text(bytes)
        } else {
            return nil
        }
    }
}
