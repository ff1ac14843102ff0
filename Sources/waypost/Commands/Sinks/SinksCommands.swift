import Contacts
import FoundationEssentials
import Locations
import Postgres
import Queue
import Shapes
import Sinks
import Terminal
import Tracking
import Wording

struct SinksListCommand: Command {
    static let name = "list"
    static let summary = "Show where locations are uploaded to, and what still waits or was refused."

    @Option("--account", "NAME", "Only the sinks of this account.") var account: String?
    let look = WatchOptions()

    private struct Seen: Sendable {
        let sinks: [(sink: StoredSink, load: SinkLoad)]
        let accounts: [Int: String]
        /// The states of the lanes, by the ids of the sinks.
        let states: [Int: String]
    }

    func run() async throws {
        try await look.show { [account] app, db in
            let number = try account.map { try app.account(withTrackers: $0, on: db) }
            let sinks = try SinkStore().sinks(account: number, on: db)
            let loads = try UploadStore().loads(on: db)
            return Seen(
                sinks: sinks.map { (sink: $0, load: loads[$0.id] ?? SinkLoad()) },
                accounts: try app.contacts.accountNames(on: db),
                states: try Dictionary(
                    sinks.map { ($0.id, try app.queue.lane($0.lane, on: db).condition.word) }, uniquingKeysWith: { $1 })
            )
        } as: { seen in
            seen.sinks.map {
                SinkSummary(
                    sink: $0, load: $1, account: seen.accounts[$0.account] ?? "", state: seen.states[$0.id] ?? "")
            }
        } write: { seen, screen in
            write(seen, to: screen)
        }
    }

    private func write(_ seen: Seen, to screen: Screen) {
        if seen.sinks.isEmpty {
            return screen.writeLine("There is no sink. Add one with 'waypost sinks add NAME --kind KIND'.")
        }
        var table = Table(
            .left("SINK"), .left("ACCOUNT"), .left("LEADS TO"), .left("STATE") { $0 == "open" ? nil : .yellow },
            .right("TRACKERS"), .right("WAITING"),
            .right("REFUSED") { $0 == "0" ? nil : .yellow }, .right("NOT SIGNED IN") { $0 == "0" ? nil : .yellow },
            .left("DEFAULT"))
        for (sink, load) in seen.sinks {
            table.add(
                sink.name, seen.accounts[sink.account] ?? "", "\(sink.kindName): \(sink.place)",
                seen.states[sink.id] ?? "",
                Readable.count(load.trackers), Readable.count(load.due), Readable.count(load.refused),
                Readable.count(load.signedOut), sink.isDefault ? "yes" : "no")
        }
        table.write(to: screen)
    }
}

extension StoredSink {
    /// The target without parts that may be secret.
    fileprivate var place: String {
        guard let kind else { return "gone" }
        return SinkDescription(kind: kind, settings: settings).shown + (about == .places ? ", about places" : "")
    }
}

/// A sink in `sinks list --json`.
private struct SinkSummary: Shaped {
    let sink: StoredSink
    let load: SinkLoad
    let account, state: String

    static let shape = Shape<SinkSummary>("Sink", "A sink, and what still waits for it.") {
        Member("name", example: "app") { $0.sink.name }
        Member("account", example: "default") { $0.account }
        Member("kind", example: "webhook") { $0.sink.kindName }
        Member("about", example: "locations") { $0.sink.about.rawValue }
        Member("place", example: "https://example.org") { $0.sink.place }
        Member("lane", example: "upload:app") { $0.sink.lane }
        Member("state", example: "open") { $0.state }
        Member("is_default") { $0.sink.isDefault }
        Member("pause_seconds", example: .seconds(5)) { $0.sink.pause }
        Member("trackers", example: 1) { $0.load.trackers }
        Member("waiting", example: 0) { $0.load.due }
        Member("refused", example: 0) { $0.load.refused }
        Member("not_signed_in", example: 0) { $0.load.signedOut }
    }
}

struct SinksSetCommand: ChangingCommand {
    static let name = "set"
    static let summary = "Change a sink. Workers use what is new at once."
    static let discussion = """
        To change where a sink leads, add another one and move the trackers to it: they upload all of their locations there.
        """

    @Argument("NAME", "The sink.") var sink: String
    @Option("--secret-file", "FILE", "Another secret; - is standard input.") var secretFile: String?
    @Option("--pause", "TIME", "Between two uploads of one tracker.") var pause: Duration?
    @Flag("--default", "New trackers of the account use it.") var isDefault
    @Flag("--no-default", "New trackers of the account don't use it.") var isNoDefault

    func run() async throws {
        if isDefault, isNoDefault { throw UsageError("--default and --no-default contradict each other") }
        let secret = try secret(in: secretFile)
        if secret == nil, pause == nil, !isDefault, !isNoDefault {
            throw UsageError("there is nothing to change; see --help")
        }
        try await Application.asking { [sink, pause, isDefault, isNoDefault] app, db in
            let sinks = SinkStore()
            guard let known = try sinks.sinks(named: sink, on: db).first else { throw NoSinkOfThisName(name: sink) }
            if isDefault, known.about == .places { throw UsageError("the sink \(sink) takes no locations") }
            if let secret {
                if let loss = known.loss { throw UsageError(loss.problem) }
                if let kind = known.kind { try app.check(kind, known.settings, secret) }
                try sinks.setSecret(app.makeSealingKeys().seal(secret, for: known.context), of: sink, on: db)
            }
            try sinks.change(
                sink, SinkStore.Changes(isDefault: isDefault ? true : isNoDefault ? false : nil, pause: pause), on: db)
            let after = [
                "secret": secret == nil ? nil : "another", "pause": pause.map(\.logged),
                "default": isDefault ? "true" : isNoDefault ? "false" : nil,
            ]
            try AuditLog().append(.setSink, sink, after: after.compactMapValues(\.self), by: .current, on: db)
        }
        Screen.output.writeLine("Changed the sink \(sink).")
    }
}

struct SinksRemoveCommand: ChangingCommand {
    static let name = "remove"
    static let summary = "Upload nothing to a sink any more. What it has stays there."

    @Argument("NAME", "The sink.") var sink: String
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        let app = try await Application.forCommand()
        guard
            let load = try await app.database.run({ [sink] db throws -> SinkLoad? in
                try SinkStore().sinks(named: sink, on: db).first.map {
                    try UploadStore().loads(on: db)[$0.id] ?? SinkLoad()
                }
            })
        else { throw NoSinkOfThisName(name: sink) }
        try confirm(
            "Remove the sink \(sink)? \(Words.count(load.trackers, "tracker")) will upload nowhere; \(Words.count(load.due, "location")) "
                + "that it doesn't have will not get there.", isSure: yes)
        let isRemoved = try await app.database.transaction { [sink] db in
            guard try SinkStore().remove(sink, on: db) else { return false }
            try AuditLog().append(.removeSink, sink, by: .current, on: db)
            return true
        }
        await app.close()
        guard isRemoved else { throw NoSinkOfThisName(name: sink) }
        Screen.output.writeLine(
            "Removed the sink \(sink). Its lane \(SinkStore.lane(of: sink)) stays, for the log of its calls.")
    }
}

struct SinksSignInCommand: ChangingCommand {
    static let name = "sign-in"
    static let summary = "Let one sign-in at Firebase upload for all users of a sink who have none of their own."
    static let discussion = """
        The file has what an app keeps as FirebaseAuth: {"userId":…,"idToken":…,"refreshToken":…,"expiresAt":…}. Then up to 100 \
        trackers share a call. Apps sign single users in with PUT /v1/trackers/{user}/sign-in.
        """

    @Argument("NAME", "The sink.") var sink: String
    @Option("--file", "FILE", "The tokens; - is standard input.") var file: String

    func run() async throws {
        guard let text = try secret(in: file),
            let auth = try? JSONDecoder().decode(FirebaseAuth.self, from: Data(text.utf8))
        else {
            throw UsageError("there is no JSON with userId, idToken, refreshToken and expiresAt in \(file)")
        }
        try await Application.asking { [sink] app, db in
            guard let known = try SinkStore().sinks(named: sink, on: db).first else {
                throw NoSinkOfThisName(name: sink)
            }
            guard known.signsIn else { throw UsageError("the sink \(sink) asks for no sign-in") }
            let json = String(decoding: try JSONEncoder().encode(auth), as: UTF8.self)
            _ = try SignInStore().store(
                app.makeSealingKeys().seal(json, for: SignInStore.context(sink: known.id, user: nil)),
                endsAt: auth.expiresAt, sink: known.id, user: nil, account: known.account, on: db)
            try app.queue.change(known.lane, on: db) { $0.batch = SinkKind.sharedBatch }
            try AuditLog().append(.signInSink, sink, by: .current, on: db)
        }
        Screen.output.writeLine("Signed in. Calls to \(sink) carry up to \(SinkKind.sharedBatch) trackers each.")
    }
}
