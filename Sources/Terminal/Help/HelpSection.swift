/// A heading with two columns below it.
struct HelpSection {
    let title: String
    let rows: [(name: String, text: String)]

    /// A longer name gets its own line, so that one name doesn't move all texts to the right.
    private static let widestName = 26

    func text(width: Int, on screen: Screen) -> String {
        let column = rows.map(\.name.columns).filter { $0 <= Self.widestName }.max() ?? 0
        let margin = String(repeating: " ", count: column + 4)
        let lines = rows.flatMap { row -> [String] in
            let name = "  " + screen.styled(row.name, .cyan)
            let texts = row.text.wrapped(to: max(width - margin.count, 20))
            guard row.name.columns <= column, let first = texts.first else { return [name] + texts.map { margin + $0 } }
            let gap = String(repeating: " ", count: column - row.name.columns + 2)
            return [name + gap + first] + texts.dropFirst().map { margin + $0 }
        }
        return screen.styled("\(title):", .bold) + "\n" + lines.map { "\($0)\n" }.joined()
    }
}
