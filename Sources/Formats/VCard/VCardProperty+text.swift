import Processes

extension VCardProperty {
    /// The decoded value as text, still with its backslash escapes.
    func text(_ encoding: TextEncoding) throws(UnusableContact) -> String {
        guard !line.isCut else { throw refusal("is longer than 256 KiB") }
        let encodings = values(of: "ENCODING").map { String(decoding: $0, as: UTF8.self).uppercased() }
        guard !encodings.contains("BASE64"), !encodings.contains("B") else { throw refusal("is in base64") }
        let bytes = line.isQuotedPrintable ? Self.unquoted(value) : value
        guard let text = String(bytes, charset: try charset ?? encoding) else {
            throw refusal("is not valid UTF-8; name the file's encoding, such as --encoding windows-1252")
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

    func refusal(_ problem: String) -> UnusableContact {
        UnusableContact(reason: "its \(name.word) \(problem)")
    }

    private var charset: TextEncoding? {
        get throws(UnusableContact) {
            guard let charset = values(of: "CHARSET").first else { return nil }
            guard let known = TextEncoding(rawValue: String(decoding: charset, as: UTF8.self)), known != .automatic
            else { throw refusal("is in an unknown charset") }
            return known
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
        let digits = bytes.compactMap(\.hexDigit)
        return digits.count == 2 ? (digits[0], digits[1]) : nil
    }
}

extension String {
    /// Nil if the bytes are not valid in `charset`.
    fileprivate init?(_ bytes: some Collection<UInt8>, charset: TextEncoding) {
        // A file in UTF-16 has been converted as a whole.
        let isUnicode = [.automatic, .utf8, .utf16].contains(charset)
        if isUnicode, let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else if charset == .automatic || !isUnicode {
            self = (charset == .automatic ? .windows1252 : charset).text(of: bytes)
        } else {
            return nil
        }
    }
}
