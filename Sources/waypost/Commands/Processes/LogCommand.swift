import Locations
import Queue
import Shapes
import Terminal
import Wording

struct LogCommand: Command {
    static let name = "log"
    static let summary = "Show who changed what in the cluster, by command or over the API."
    static let discussion = """
        The latest acts come last. An act is called as its command is: 'lanes.pause'; 'lanes' means all acts on lanes.

          waypost log --verb lanes --target nominatim --since 1d
        """

    @Option("--verb", "VERB", "Only these acts.") var verb: String?
    @Option("--target", "TARGET", "Only acts on this lane, chain, job, question, worker or token.") var target: String?
    @Option("--who", "NAME", "Only acts of this user, token, account or machine.") var who: String?
    @Option("--since", "Only acts of so long ago at most.", in: Duration.milliseconds(1)...) var since: Duration?
    @Option("--before", "ID", "Only those before this one.", in: 1...) var before: Int?
    let list = ListOptions()

    func run() async throws {
        if let verb, !Self.verbs.contains(verb) {
            throw UsageError("there is no act called \"\(verb)\"; there are \(Self.verbs.joined(separator: ", "))")
        }
        let filter = ActFilter(verb: verb, target: target, who: who, age: since)
        let limit = list.limit
        try await list.look.show { [before] _, db in
            // One more than requested shows whether there are more.
            try AuditLog().acts(filter, before: before, limit: limit + 1, on: db)
        } as: { acts in
            Array(acts.prefix(limit).reversed())
        } write: { acts, screen in
            write(acts, limit, to: screen)
        }
    }

    private func write(_ acts: [Act], _ limit: Int, to screen: Screen) {
        let shown = acts.prefix(limit).reversed()
        guard let first = shown.first else { return screen.writeLine("No act is kept.") }
        var table = Table(
            .right("ID"), .left("WHEN"), .left("WHO"), .left("ACT"), .left("TARGET"), .left("CHANGE"))
        for act in shown {
            table.add(
                "\(act.id)", Timestamp.text(act.at / .seconds(1)), act.author.words, act.verb,
                act.target.isEmpty ? "-" : act.target,
                act.change)
        }
        table.write(to: screen)
        if acts.count > limit { list.tellOfMore("--before \(first.id)", on: screen) }
    }

    /// All verbs, and the groups of them.
    private static var verbs: [String] {
        let all = Act.Verb.allCases.map(\.rawValue)
        return Set(all.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted() + all
    }
}

extension Author {
    /// `ada on host-7`, `token 7 (pages) of default`
    fileprivate var words: String {
        if let host { return "\(name) on \(host)" }
        return (token.map { "token \($0) (\(name))" } ?? name) + (account.map { " of \($0)" } ?? "")
    }
}

extension Act {
    /// `limits 20/s → 1/s`
    fileprivate var change: String {
        Set(before.keys).union(after.keys).sorted().map { name in
            switch (before[name], after[name]) {
            case (let old?, let new?): "\(name) \(old) → \(new)"
            case (let value?, nil), (nil, let value?): "\(name) \(value)"
            case (nil, nil): name
            }
        }.joined(separator: "; ")
    }
}
