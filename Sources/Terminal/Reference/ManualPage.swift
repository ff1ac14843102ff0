/// A manual page in the language of man(7), which groff and mandoc render alike.
struct ManualPage {
    private let level: Level
    private let version: String
    private let date: String

    init(_ level: Level, version: String, date: String) {
        self.level = level
        self.version = version
        self.date = date
    }

    private var program: String { level.path[0] }

    var text: String {
        let name = level.path.joined(separator: "-")
        // The first line goes into man's index, where entries have no full stop.
        let summary = level.summary.hasSuffix(".") ? String(level.summary.dropLast()) : level.summary
        return """
            .TH \(name.uppercased().inManual) 1 \(date) "\(program.inManual) \(version.inManual)"
            .SH NAME
            \("\(name) - \(summary)".paragraphInManual)
            .SH SYNOPSIS
            .B \(level.name.inManual)
            \(level.usage.dropFirst(level.name.count).drop { $0 == " " }.description.inManual)
            .SH DESCRIPTION
            \(level.summary.paragraphInManual)

            """ + discussion
                + list("ARGUMENTS", level.arguments.map { ("\\fI\($0.usage.inManual)\\fR", $0.explanation) })
                + list("COMMANDS", level.children.map { ("\\fB\("\(name)-\($0.name)".inManual)\\fR(1)", $0.summary) })
                + list("OPTIONS", level.options.map { (tag($0), $0.explanation) }) + end
    }

    private var discussion: String {
        TextBlock.blocks(of: level.discussion).map { block in
            switch block {
            case .prose(let text): ".PP\n\(text.paragraphInManual)\n"
            case .example(let lines): ".PP\n.RS 4\n.nf\n" + lines.map { "\($0.inManual)\n" }.joined() + ".fi\n.RE\n"
            }
        }.joined()
    }

    private func list(_ title: String, _ rows: [(tag: String, text: String)]) -> String {
        rows.isEmpty ? "" : ".SH \(title)\n" + rows.map { ".TP\n\($0.tag)\n\($0.text.paragraphInManual)\n" }.joined()
    }

    /// The names in bold and the placeholder in italics.
    private func tag(_ option: Parameter) -> String {
        let names = option.names.map { "\\fB\($0.inManual)\\fR" }.joined(separator: ", ")
        return option.form == .flag ? names : "\(names) \\fI\(option.placeholder.inManual)\\fR"
    }

    private var end: String {
        let above = level.path.count > 1 ? [level.path.dropLast().joined(separator: "-")] : []
        let status = """
            .SH EXIT STATUS
            0 if it worked, 1 if it failed or was left incomplete, 2 if the command line
            or the settings are wrong.

            """
        guard let name = above.first else { return status }
        return status + ".SH SEE ALSO\n.BR \(name.inManual) (1)\n"
    }
}

extension String {
    /// The same text, wrapped to a readable width, with each line protected from being read as a roff request.
    fileprivate var paragraphInManual: String {
        inManual.wrapped(to: 78).map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }.joined(separator: "\n")
    }

    /// Text that roff shows unchanged: hyphens can be copied, there is no control line, and non-ASCII letters are
    /// written by number.
    fileprivate var inManual: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": text += "\\e"
            case "-": text += "\\-"
            case "\"": text += "\\(dq"
            case "'": text += "\\(aq"
            case "^": text += "\\(ha"
            case "~": text += "\\(ti"
            case "`": text += "\\(ga"
            default: text += scalar.isASCII ? String(scalar) : "\\[u\(hex(scalar.value))]"
            }
        }
        return text.hasPrefix(".") ? "\\&" + text : text
    }
}

/// At least four hexadecimal digits.
private func hex(_ number: UInt32) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
