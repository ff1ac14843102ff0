/// How a piece of text looks on a terminal, by the number that turns it on:
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
package enum Style: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36
}

extension Screen {
    /// The text in these styles, or as it is where there is no colour.
    package func styled(_ text: String, _ styles: Style...) -> String {
        guard hasColor, !styles.isEmpty else { return text }
        return "\u{1B}[\(styles.map { "\($0.rawValue)" }.joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    /// Colour is for a terminal that can show it and a person who wants it: https://no-color.org
    static func wantsColor(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
}
