/// The parts of an address in the order in which a country writes them, read from a line of `postal-formats.txt`.
struct PostalLayout: Hashable, Sendable {
    private let lines: [[Element]]

    private struct Element: Hashable {
        let field: PostalField
        let isUpper: Bool
        /// True if it is printed only if a person wrote it: a provider may know more than the post wants.
        let isOptional: Bool
        /// True if the neighbourhood takes the place of the city.
        let isLocal: Bool
        /// The text between this part and the one before it.
        let separator: String
    }

    init(_ template: some StringProtocol) {
        lines = template.split(separator: ";").map { line in
            var elements: [Element] = []
            var separator = ""
            var marks: Set<Character> = []
            for letter in line.drop(while: \.isWhitespace) {
                if let field = PostalField(letter) {
                    elements.append(
                        Element(
                            field: field, isUpper: letter.isUppercase, isOptional: marks.contains("?"),
                            isLocal: marks.contains("+"), separator: separator))
                    (separator, marks) = ("", [])
                } else if letter == "?" || letter == "+" {
                    marks.insert(letter)
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

    /// True if this part is printed when it comes from a provider.
    func wants(_ field: PostalField) -> Bool {
        lines.joined().contains { $0.field == field && !$0.isOptional }
    }

    /// True if a letter is addressed to the neighbourhood, and the city is not printed.
    var isLocal: Bool { lines.joined().contains(where: \.isLocal) }

    /// Returns the lines that are not empty. If a part has several lines, the first is printed at its place, and the
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

    /// If a part between two others is missing, its comma is dropped too: `Palo Alto 94303` and not `Palo Alto, 94303`.
    private static func join(_ separators: [String]) -> String {
        separators.contains(" ") ? " " : separators.last ?? " "
    }
}
