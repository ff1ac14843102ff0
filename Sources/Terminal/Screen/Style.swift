/// A style of text on a terminal, with the number that turns it on:
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
package enum Style: Int, CaseIterable, Sendable {
    case bold = 1
    case dim = 2
    case inverse = 7
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36
}

extension Style {
    /// Marks the start of a style inside a text. An escape sequence could not be distinguished from one in stored data.
    /// The marks are private-use characters; in stored data they can change at most a colour.
    fileprivate var mark: Unicode.Scalar {
        switch self {
        case .bold: "\u{10FF01}"
        case .dim: "\u{10FF02}"
        case .red: "\u{10FF03}"
        case .green: "\u{10FF04}"
        case .yellow: "\u{10FF05}"
        case .cyan: "\u{10FF06}"
        case .inverse: "\u{10FF07}"
        }
    }

    fileprivate static let endMark: Unicode.Scalar = "\u{10FF00}"
    static let marks: ClosedRange<Unicode.Scalar> = "\u{10FF00}"..."\u{10FF07}"

    /// The escape sequence for a mark: it turns a style on, or all styles off.
    static func sequence(_ mark: Unicode.Scalar) -> String? {
        if mark == endMark { return "\u{1B}[0m" }
        return allCases.first { $0.mark == mark }.map { "\u{1B}[\($0.rawValue)m" }
    }
}

extension Screen {
    /// The text with marks for these styles, or the plain text if the screen has no colour. Writing it to this screen
    /// replaces the marks.
    package func styled(_ text: String, _ styles: Style...) -> String {
        guard hasColor, !styles.isEmpty else { return text }
        return String(String.UnicodeScalarView(styles.map(\.mark))) + text + String(Style.endMark)
    }

    /// Colour needs a terminal that supports it and a user who permits it: https://no-color.org
    static func wantsColor(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
}
