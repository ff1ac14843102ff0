extension Level {
    /// The help of this level, wrapped for `screen`.
    func help(on screen: Screen) -> String {
        let width = min(screen.width, 100)
        let lead = ["Usage: \(usage)", summary, discussion]
            .filter { !$0.isEmpty }
            .map { $0.wrapped(to: width).joined(separator: "\n") + "\n" }
        let columns = [
            HelpSection(title: "Arguments", rows: arguments.map { ($0.usage, $0.explanation) }),
            HelpSection(title: "Commands", rows: children.map { ($0.name, $0.summary) }),
            HelpSection(title: "Options", rows: options.map { ($0.spelling, $0.explanation) }),
        ]
        .filter { !$0.rows.isEmpty }
        .map { $0.text(width: width, on: screen) }
        let more = children.isEmpty ? [] : ["See '\(name) COMMAND --help' for one command.\n"]
        return (lead + columns + more).joined(separator: "\n")
    }

    /// `waypost import --account NAME [options] FILE`
    var usage: String {
        guard children.isEmpty else { return "\(name) COMMAND" }
        let required = options.filter(\.isRequired).map(\.usage)
        let hasMore = options.contains { !$0.isRequired && $0.label != Parameter.help.label }
        let arguments = arguments.map { argument in
            let word = argument.label + (argument.isRepeatable ? "..." : "")
            return argument.isRequired ? word : "[\(word)]"
        }
        return ([name] + required + (hasMore ? ["[options]"] : []) + arguments).joined(separator: " ")
    }
}

extension Parameter {
    /// `-o, --output FILE`. Without a short name it is indented.
    fileprivate var spelling: String {
        let isLongOnly = names.first?.hasPrefix("--") ?? false
        return (isLongOnly ? "    " : "") + plainSpelling
    }

    /// `-o, --output FILE`
    var plainSpelling: String { names.joined(separator: ", ") + (form == .flag ? "" : " \(placeholder)") }

    /// The summary, followed by facts of the declaration in brackets.
    var explanation: String {
        let notes = [
            form == .option && isRequired ? "required" : nil,
            choices.isEmpty ? nil : choices.joined(separator: ", "),
            range,
            form == .option && isRepeatable ? "repeatable" : nil,
            defaults.allSatisfy(\.isEmpty) || form == .flag ? nil : "default \(defaults.joined(separator: ", "))",
        ].compactMap(\.self)
        return summary + (notes.isEmpty ? "" : " [\(notes.joined(separator: "; "))]")
    }
}

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
