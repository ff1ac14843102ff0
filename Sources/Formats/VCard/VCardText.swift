/// The escapes in the values of a vCard: https://www.rfc-editor.org/rfc/rfc6350#section-3.4
enum VCardText {
    /// Escapes `text` for a value or a part of one.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += ["\\", scalar]
            case "\n" where previous == "\r": break
            case "\n", "\r": escaped += ["\\", "n"]
            default: escaped.append(scalar)
            }
            previous = scalar
        }
        return String(escaped)
    }

    static func unescaped(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(.backslash) else { return String(text) }
        var plain = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                plain.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                plain.append(scalar)
            }
        }
        if isEscaped { plain.append("\\") }
        return String(plain)
    }

    /// The components of a structured value. Several values of a component are joined, because programs that forget to
    /// escape a comma write `Flat 2,1 High St`.
    static func components(_ text: String) -> [String] {
        split(text[...], at: ";").map { component in
            split(component, at: ",").map { unescaped($0).tidied }.filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    /// Splits at separators without a backslash before them.
    private static func split(_ text: Substring, at separator: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if scalar == separator, !isEscaped {
                parts.append(text[start..<index])
                start = text.unicodeScalars.index(after: index)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return parts + [text[start...]]
    }
}
