/// The references: to all commands as a page or as manual pages, the API's description, the terms of providers, and the
/// settings as tables of Markdown or as a file of variables.
package enum ReferenceForm: String, CaseIterable, OptionValue {
    case markdown, man, openapi, terms, settings, variables
}

extension CommandTree {
    /// All commands on one page of Markdown.
    package var reference: String {
        let levels = levels
        let common = CommonOptions(levels)
        let intro = """
            # Commands

            Every command, as `\(name) help COMMAND` explains it. This page is made from the commands' declarations, with \
            `\(name) reference markdown`. Every command takes `--help`.


            """
        return intro + common.list + levels.map { $0.markdown(common) }.joined(separator: "\n")
    }

    /// A manual page for each command and group, with its file name: `waypost-lanes-set.1`.
    var manuals: [(file: String, text: String)] {
        levels.map { level in
            ("\(level.path.joined(separator: "-")).1", ManualPage(level, version: version, date: date).text)
        }
    }
}

/// An item of a list of parameters or commands.
private struct ReferenceItem: Hashable {
    let label: String
    let explanation: String

    var line: String { "- \(label): \(explanation.escapedInMarkdown)\n" }
}

/// The options that several commands take with the same explanation. They are explained once, above all commands.
private struct CommonOptions {
    private static let leastCommands = 3
    private let items: [ReferenceItem]

    init(_ levels: [Level]) {
        let counts = Dictionary(levels.flatMap(\.optionItems).map { ($0, 1) }, uniquingKeysWith: +)
        let frequent = counts.filter { $0.value >= Self.leastCommands }
            .sorted { ($0.value, $1.key.explanation) > ($1.value, $0.key.explanation) }
        // One label has one explanation here: the more frequent one.
        let explained = Dictionary(frequent.map { ($0.key.label, $0.key) }, uniquingKeysWith: { first, _ in first })
        items = explained.values.sorted { $0.label < $1.label }
    }

    func contains(_ item: ReferenceItem) -> Bool { items.contains(item) }

    var list: String { items.isEmpty ? "" : "Common options:\n" + items.map(\.line).joined() + "\n" }
}

extension Level {
    /// Without `--help`, because every command takes it.
    fileprivate var optionItems: [ReferenceItem] {
        options.filter { $0.label != Parameter.help.label }.map {
            ReferenceItem(label: "`\($0.plainSpelling)`", explanation: $0.explanation)
        }
    }

    /// The program, its commands and its groups have headings; the commands of a group are paragraphs below it.
    fileprivate func markdown(_ common: CommonOptions) -> String {
        let usage = "`\(usage)`"
        let start =
            path.count > 2 ? "**\(usage)**" : "\(String(repeating: "#", count: path.count + 1)) \(name)\n\n\(usage)"
        let text = TextBlock.blocks(of: discussion).map { block in
            switch block {
            case .prose(let text): text.escapedInMarkdown + "\n"
            case .example(let lines): "```\n\(lines.joined(separator: "\n"))\n```\n"
            }
        }
        return (["\(start): \(summary.escapedInMarkdown)\n"] + text).joined(separator: "\n") + commandList
            + parameterList(common)
    }

    /// The commands of the program. Those of a group follow it.
    private var commandList: String {
        guard path.count == 1 else { return "" }
        return children.map { child in
            let anchor = "#\(name)-\(child.name)"
            return ReferenceItem(label: "[`\(child.name)`](\(anchor))", explanation: child.summary).line
        }.joined()
    }

    /// Arguments and own options, and below them the labels of the common ones.
    private func parameterList(_ common: CommonOptions) -> String {
        let arguments = arguments.map { ReferenceItem(label: "`\($0.usage)`", explanation: $0.explanation) }
        let own = arguments + optionItems.filter { !common.contains($0) }
        let shared = optionItems.filter(common.contains).map(\.label)
        return own.map(\.line).joined() + (shared.isEmpty ? "" : "- common: \(shared.joined(separator: ", "))\n")
    }
}

extension String {
    /// Escapes the characters that are special in Markdown.
    fileprivate var escapedInMarkdown: String {
        String(flatMap { "*<[`".contains($0) ? ["\\", $0] : [$0] })
    }
}

/// A part of a discussion: prose, which is wrapped, or an example, which is not.
enum TextBlock {
    case prose(String)
    case example([String])

    static func blocks(of text: String) -> [TextBlock] {
        var blocks: [TextBlock] = []
        for part in text.split(separator: "\n\n") {
            let lines = part.split(separator: "\n").map(String.init)
            guard lines.allSatisfy({ $0.hasPrefix(" ") }) else {
                blocks.append(.prose(lines.joined(separator: " ")))
                continue
            }
            let margin = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            blocks.append(.example(lines.map { String($0.dropFirst(margin)) }))
        }
        return blocks
    }
}
