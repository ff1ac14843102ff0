/// A part of a migration that commits by itself. docs/design/schema.md has the form of a file.
package struct MigrationStep: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// One transaction, whose statements must be short.
        case short
        /// One transaction that takes as long as its table is large. `VALIDATE CONSTRAINT` stops no reader or writer.
        case validation
        /// One statement outside of a transaction, with `CONCURRENTLY`.
        case concurrent
        /// One transaction for each batch of the table's rows, in the order of `id`. The statement changes the rows
        /// from `:first` to `:last`.
        case batches(of: String)
    }

    package let kind: Kind
    package let script: String

    /// Divides a script at the lines `-- step` and `-- step in batches of TABLE`. A script without them is one step.
    static func steps(of script: String) -> [Self] {
        var parts: [(table: String?, script: String)] = []
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("-- step") {
                let table = line.hasPrefix("-- step in batches of ") ? line.split(separator: " ").last : nil
                parts.append((table.map(String.init), ""))
            } else if !parts.isEmpty {
                parts[parts.count - 1].script += line + "\n"
            }
        }
        return parts.isEmpty ? [Self(kind: .short, script: script)] : parts.map { Self(table: $0.table, $0.script) }
    }

    private init(kind: Kind, script: String) {
        self.kind = kind
        self.script = script
    }

    private init(table: String?, _ script: String) {
        let statements = script.sqlStatements.joined(separator: "; ").uppercased()
        let other: Kind =
            statements.contains("CONCURRENTLY")
            ? .concurrent : statements.contains("VALIDATE CONSTRAINT") ? .validation : .short
        self.init(kind: table.map { .batches(of: $0) } ?? other, script: script)
    }
}

extension Migration {
    /// The last migration from before a migration had steps. These run in one transaction with the functions.
    package static let lastWithoutSteps = 20

    var hasSteps: Bool { steps.count > 1 || steps[0].kind != .short }

    /// The functions are created again in the transaction that drops them.
    var dropsFunctions: Bool { script.uppercased().contains("DROP FUNCTION") }
}

extension String {
    /// The statements of a script, without comments and semicolons. A statement with `BEGIN ATOMIC` is not recognized.
    package var sqlStatements: [String] {
        var statements = [""]
        var rest = self[...]
        func end(of closing: String, from start: Index) -> Index {
            self[start...].firstRange(of: closing)?.upperBound ?? endIndex
        }
        while let first = rest.first {
            var end = rest.index(after: rest.startIndex)
            let isComment = rest.hasPrefix("--") || rest.hasPrefix("/*")
            if isComment {
                end =
                    rest.hasPrefix("--")
                    ? rest.firstIndex(of: "\n") ?? endIndex : self[end...].firstRange(of: "*/")?.upperBound ?? endIndex
            } else if first == "'" || first == "\"" {
                end = rest[end...].firstIndex(of: first).map(index(after:)) ?? endIndex
            } else if first == "$", let tag = rest.prefixMatch(of: /\$([A-Za-z_]\w*)?\$/)?.output.0 {
                end = self[tag.endIndex...].firstRange(of: tag)?.upperBound ?? endIndex
            }
            if first == ";" {
                statements.append("")
            } else if !isComment {
                statements[statements.count - 1] += rest[..<end]
            }
            rest = self[end...]
        }
        return statements.map { $0.trimmed }.filter { !$0.isEmpty }
    }

    private var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
