import Locations
import Processes
import Queue
import Shapes
import Terminal

/// The filters of `waypost log`.
private struct LogInput: VerbInput {
    @Option("--verb", "VERB", "Only these acts.") var verb: String?
    @Option("--target", "TARGET", "Only acts on this lane, chain, job, question, worker or token.") var target: String?
    @Option("--who", "NAME", "Only acts of this user, token, account or machine.") var who: String?
    @Option("--since", "Only acts of so long ago at most.", in: Duration.milliseconds(1)...) var since: Duration?
    @Option("--before", "ID", "Only those before this one.", in: 1...) var before: Int?

    func check() throws {
        if let verb, !Self.verbs.contains(verb) {
            throw UsageError("there is no act called \"\(verb)\"; there are \(Self.verbs.joined(separator: ", "))")
        }
    }

    /// All verbs, and the groups of them.
    private static var verbs: [String] {
        let all = Act.Verb.allCases.map(\.rawValue)
        return Set(all.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted() + all
    }
}

extension Node {
    static let log = pages(
        "log", LogInput.self, "Show who changed what in the cluster, by command or over the API.",
        """
        The latest acts come last. An act is called as its command is: 'lanes.pause'; 'lanes' means all acts on lanes.

          waypost log --verb lanes --target nominatim --since 1d
        """, latestLast: true,
        look: { input, limit, _, db in
            let filter = ActFilter(verb: input.verb, target: input.target, who: input.who, age: input.since)
            return try AuditLog().acts(filter, before: input.before, limit: limit, on: db)
        }, as: { act, _ in act }, empty: { _ in "No act is kept." },
        [
            .right("ID") { "\($0.id)" }, .left("WHEN") { Timestamp.text($0.at / .seconds(1)) },
            .left("WHO") { $0.author.words }, .left("ACT") { $0.verb },
            .left("TARGET") { $0.target.isEmpty ? "-" : $0.target }, .left("CHANGE") { $0.change },
        ], next: { last, _ in "--before \(last.id)" })
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
