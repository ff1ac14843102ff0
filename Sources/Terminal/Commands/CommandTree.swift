/// A whole program: its commands, their groups, and the built-in commands.
///
///     let tree = CommandTree("waypost", summary: "…", version: "0.1.0", [
///         .command(ImportCommand.self),
///         .group("jobs", "See and steer the jobs.", [.command(JobsRetryCommand.self)]),
///     ])
///     exit(await tree.main(Array(CommandLine.arguments.dropFirst())))
package struct CommandTree: Sendable {
    let name: String
    let version: String
    /// The commit and the kind of the build, for `--version`.
    let build: String
    /// The date of the version, for manual pages: `2026-11-23`.
    let date: String
    let discussion: String
    let root: Node

    /// Advice on an error, if its message contains none.
    let remedy: @Sendable (any Error) -> String?

    /// The references that the program makes of its own tables.
    let references: [ReferenceForm: @Sendable () -> String]

    /// A notice for standard error, written before a command runs.
    let notice: @Sendable (any Invocation) -> String?

    /// The value of a word, by the placeholder of its parameter: a name has one form, however it was typed.
    let stored: @Sendable (_ word: String, _ placeholder: String) -> String

    package init(
        _ name: String, summary: String, discussion: String = "", version: String, build: String = "",
        date: String = "2026-01-01", _ nodes: [Node],
        remedy: @escaping @Sendable (any Error) -> String? = { _ in nil },
        notice: @escaping @Sendable (any Invocation) -> String? = { _ in nil },
        stored: @escaping @Sendable (_ word: String, _ placeholder: String) -> String = { word, _ in word },
        references: [ReferenceForm: @Sendable () -> String] = [:]
    ) {
        self.name = name
        self.version = version
        self.build = build
        self.date = date
        self.discussion = discussion
        self.remedy = remedy
        self.notice = notice
        self.stored = stored
        self.references = references
        root = .group(
            name, summary,
            nodes + [.command(HelpCommand.self), .command(CompletionCommand.self), .command(ReferenceCommand.self)])
    }

    package indirect enum Node: Sendable {
        case verb(Verb)
        case group(_ name: String, _ summary: String, _ nodes: [Node])

        package static func command(_ type: (some Command).Type) -> Self { .verb(Verb(type)) }
    }
}

extension CommandTree.Node {
    var name: String {
        switch self {
        case .verb(let verb): verb.name
        case .group(let name, _, _): name
        }
    }

    var summary: String {
        switch self {
        case .verb(let verb): verb.summary
        case .group(_, let summary, _): summary
        }
    }

    var isHidden: Bool {
        switch self {
        case .verb(let verb): verb.isHidden
        case .group(_, _, let nodes): nodes.allSatisfy(\.isHidden)
        }
    }

    var children: [Self] {
        switch self {
        case .verb: []
        case .group(_, _, let nodes): nodes
        }
    }
}
