/// The parts of an address in the order in which a country writes them, read from a line of `PostalFormats`.
struct PostalLayout: Hashable, Sendable {
    private let lines: [[Element]]

    private struct Element: Hashable {
        let field: PostalField
        let isUpper: Bool
        /// What stands between this part and the one before it.
        let separator: String
    }

    init(_ template: some StringProtocol) {
        lines = template.split(separator: ";").map { line in
            var elements: [Element] = []
            var separator = ""
            for letter in line.drop(while: \.isWhitespace) {
                if let field = PostalField(letter) {
                    elements.append(Element(field: field, isUpper: letter.isUppercase, separator: separator))
                    separator = ""
                } else {
                    separator.append(letter)
                }
            }
            return elements
        }
    }

    func has(_ field: PostalField) -> Bool {
        lines.joined().contains { $0.field == field }
    }

    /// The lines that have anything on them. A part of several lines gives its first to the line it stands on, and the
    /// others follow.
    func lines(of parts: PostalParts) -> [String] {
        lines.flatMap { Self.lines($0, of: parts) }
    }

    private static func lines(_ elements: [Element], of parts: PostalParts) -> [String] {
        var text = ""
        var separators: [String] = []
        var others: [String] = []
        for element in elements {
            separators.append(element.separator)
            let part = element.isUpper ? parts[element.field].map { $0.uppercased() } : parts[element.field]
            guard let first = part.first else { continue }
            if !text.isEmpty { text += join(separators) }
            text += first
            others += part.dropFirst()
            separators = []
        }
        return text.isEmpty ? [] : [text] + others
    }

    /// Where a part between two others is missing, its comma goes with it: `Palo Alto 94303` and not `Palo Alto, 94303`.
    private static func join(_ separators: [String]) -> String {
        separators.contains(" ") ? " " : separators.last ?? " "
    }
}
