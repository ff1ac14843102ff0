/// The references: to all commands as a page or as manual pages, the API's description, the terms of providers, and the
/// settings as tables of Markdown or as a file of variables.
package enum ReferenceForm: String, CaseIterable, OptionValue {
    case markdown, man, openapi, terms, settings, variables
}

extension CommandTree {
    /// All commands on one page of Markdown.
    package var reference: String {
        let intro = """
            # Commands

            Every command, as `\(name) help COMMAND` explains it. This page is made from the commands' declarations, with \
            `\(name) reference markdown`.


            """
        return intro + levels.map(\.markdown).joined(separator: "\n")
    }

    /// A manual page for each command and group, with its file name: `waypost-lanes-set.1`.
    var manuals: [(file: String, text: String)] {
        levels.map { level in
            ("\(level.path.joined(separator: "-")).1", ManualPage(level, version: version, date: date).text)
        }
    }
}

extension Level {
    fileprivate var markdown: String {
        let sections = [
            table("argument", arguments.map { ("`\($0.usage)`", $0.explanation) }),
            table(
                "command",
                children.map { ("[`\($0.name)`](#\((path + [$0.name]).joined(separator: "-")))", $0.summary) }),
            // `--help` is left out, because every command takes it.
            table(
                "option",
                options.filter { $0.label != Parameter.help.label }.map { ("`\($0.plainSpelling)`", $0.explanation) }),
        ]
        let usage = "```\n\(usage)\n```\n"
        let text = TextBlock.blocks(of: discussion).map { block in
            switch block {
            case .prose(let text): text.escapedInMarkdown + "\n"
            case .example(let lines): "```\n\(lines.joined(separator: "\n"))\n```\n"
            }
        }
        let title = String(repeating: "#", count: min(path.count + 1, 3)) + " \(name)\n"
        return ([title, summary.escapedInMarkdown + "\n", usage] + text + sections.compactMap(\.self)).joined(
            separator: "\n")
    }

    private func table(_ title: String, _ rows: [(String, String)]) -> String? {
        guard !rows.isEmpty else { return nil }
        let lines = rows.map { "| \($0.0.inTable) | \($0.1.escapedInMarkdown.inTable) |\n" }
        return "| \(title) | what it is |\n| --- | --- |\n" + lines.joined()
    }
}

extension String {
    /// A bar would end the column.
    fileprivate var inTable: String { replacing("|", with: "\\|") }

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
