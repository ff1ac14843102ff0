/// An element of a reply in XML.
struct XML {
    private let name: String
    private let attributes: [(String, String)]
    private let children: [XML]
    private let text: String

    init(_ name: String, _ attributes: [(String, String)] = [], _ children: [XML] = [], text: String = "") {
        (self.name, self.attributes, self.children, self.text) = (name, attributes, children, text)
    }

    var document: String {
        var out = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>"
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        out += "<\(name)"
        for (name, value) in attributes { out += " \(name)=\"\(Self.escaped(value))\"" }
        guard !children.isEmpty || !text.isEmpty else { return out += "/>" }
        out += ">" + Self.escaped(text)
        for child in children { child.write(to: &out) }
        out += "</\(name)>"
    }

    /// XML 1.0 has no form for most control characters.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\t", "\n", "\r": out += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}"..."\u{FFFF}": out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
