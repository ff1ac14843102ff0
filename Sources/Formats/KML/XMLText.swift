enum XMLText {
    /// `text` as it may stand between two tags: https://www.w3.org/TR/xml/#charsets
    ///
    /// Most control characters can't be written in XML 1.0 at all. U+FFFD stands in for them.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // Whoever reads XML takes a bare one for a line feed.
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
