/// How a piece of text looks on a terminal, by the number that turns it on:
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
    /// Stands for a style in a text. The sequence itself would look like one that somebody has stored. These are from the last of the letters
    /// for private use; whoever stores one gets a colour at most.
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

    /// What turns on the style of a mark, or all off.
    static func sequence(_ mark: Unicode.Scalar) -> String? {
        if mark == endMark { return "\u{1B}[0m" }
        return allCases.first { $0.mark == mark }.map { "\u{1B}[\($0.rawValue)m" }
    }
}

extension Screen {
    /// The text in these styles, or as it is where there is no colour. This screen knows the styles when it writes the text.
    package func styled(_ text: String, _ styles: Style...) -> String {
        guard hasColor, !styles.isEmpty else { return text }
        return String(String.UnicodeScalarView(styles.map(\.mark))) + text + String(Style.endMark)
    }

    /// Colour is for a terminal that can show it and a person who wants it: https://no-color.org
    static func wantsColor(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
}
