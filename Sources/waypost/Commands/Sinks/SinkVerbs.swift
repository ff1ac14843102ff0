import Contacts
import FoundationEssentials
import Postgres
import Processes
import Queue
import Shapes
import Sinks
import Terminal
import Tracking

enum SinkVerbs {
    static let group = Node.group(
        "sinks", "See and set where locations are uploaded to.",
        [list, .command(SinksAddCommand.self), set, signIn, remove])

    private struct Listed: VerbInput {
        @Option("--account", "NAME", "Only the sinks of this account.") var account: String?
    }

    private static let list = Node.list(
        "list", Listed.self, "Show where locations are uploaded to, and what still waits or was refused.",
        look: { input, app, db in
            let number = try input.account.map { try app.account(withTrackers: $0, on: db) }
            let (loads, accounts) = (try UploadStore().loads(on: db), try app.contacts.accountNames(on: db))
            return try SinkStore().sinks(account: number, on: db).map { sink in
                SinkSummary(
                    sink: sink, load: loads[sink.id] ?? SinkLoad(), account: accounts[sink.account] ?? "",
                    state: try app.queue.lane(sink.lane, on: db).condition.word)
            }
        }, as: { $0 }, empty: "There is no sink. Add one with 'waypost sinks add NAME --kind KIND'.",
        [
            .left("SINK") { $0.sink.name }, .left("ACCOUNT") { $0.account },
            .left("LEADS TO") { "\($0.sink.kindName): \($0.sink.place)" },
            .left("STATE", style: { $0 == "open" ? nil : .yellow }) { $0.state },
            .right("TRACKERS") { Readable.count($0.load.trackers) }, .right("WAITING") { Readable.count($0.load.due) },
            .right("REFUSED", style: { $0 == "0" ? nil : .yellow }) { Readable.count($0.load.refused) },
            .right("NOT SIGNED IN", style: { $0 == "0" ? nil : .yellow }) { Readable.count($0.load.signedOut) },
            .left("DEFAULT") { $0.sink.isDefault ? "yes" : "no" },
        ])

    private struct Changed: VerbInput {
        @Argument("NAME", "The sink.") var sink: String
        @Option("--secret-file", "FILE", "Another secret; - is standard input.") var secretFile: String?
        @Option("--pause", "TIME", "Between two uploads of one tracker.") var pause: Duration?
        @Flag("--default", "New trackers of the account use it.") var isDefault
        @Flag("--no-default", "New trackers of the account don't use it.") var isNoDefault

        func check() throws {
            if isDefault, isNoDefault { throw UsageError("--default and --no-default contradict each other") }
        }
    }

    private static let set = Node.verb(
        "set", Changed.self, "Change a sink. Workers use what is new at once.",
        """
        To change where a sink leads, add another one and move the trackers to it: they upload all of their locations there.
        """, changes: true
    ) { input in
        let (sink, pause) = (input.sink, input.pause)
        let secret = try secret(in: input.secretFile)
        let isDefault: Bool? = input.isDefault ? true : input.isNoDefault ? false : nil
        if secret == nil, pause == nil, isDefault == nil {
            throw UsageError("there is nothing to change; see --help")
        }
        try await Application.asking { app, db in
            let known = try known(sink, on: db)
            if isDefault == true, known.about == .places { throw UsageError("the sink \(sink) takes no locations") }
            if let secret {
                if let loss = known.loss { throw UsageError(loss.problem) }
                if let kind = known.kind { try app.check(kind, known.settings, secret) }
                try SinkStore().setSecret(app.makeSealingKeys().seal(secret, for: known.context), of: sink, on: db)
            }
            try SinkStore().change(sink, SinkStore.Changes(isDefault: isDefault, pause: pause), on: db)
            let after = [
                "secret": secret == nil ? nil : "another", "pause": pause.map(\.logged),
                "default": isDefault.map { "\($0)" },
            ]
            try AuditLog().append(.setSink, sink, after: after.compactMapValues(\.self), by: .current, on: db)
        }
        Screen.output.writeLine("Changed the sink \(sink).")
    }

    private struct Removed: ConfirmedInput {
        @Argument("NAME", "The sink.") var sink: String
        @Flag("--yes", "Don't ask for confirmation.") var yes
    }

    private static let remove = Node.confirmed(
        "remove", Removed.self, "Upload nothing to a sink any more. What it has stays there.",
        find: { input, _, db in try UploadStore().loads(on: db)[known(input.sink, on: db).id] ?? SinkLoad() },
        question: { load, input in
            "Remove the sink \(input.sink)? \(Words.count(load.trackers, "tracker")) will upload nowhere; "
                + "\(Words.count(load.due, "location")) that it doesn't have will not get there."
        }
    ) { _, input, app in
        try await app.database.transaction { [sink = input.sink] db in
            guard try SinkStore().remove(sink, on: db) else { throw Failure.noSink(sink) }
            try AuditLog().append(.removeSink, sink, by: .current, on: db)
        }
        let lane = SinkStore.lane(of: input.sink)
        return "Removed the sink \(input.sink). Its lane \(lane) stays, for the log of its calls."
    }

    private struct SignedIn: VerbInput {
        @Argument("NAME", "The sink.") var sink: String
        @Option("--file", "FILE", "The tokens; - is standard input.") var file: String
    }

    private static let signIn = Node.verb(
        "sign-in", SignedIn.self,
        "Let one sign-in at Firebase upload for all users of a sink who have none of their own.",
        """
        The file has what an app keeps as FirebaseAuth: {"userId":…,"idToken":…,"refreshToken":…,"expiresAt":…}. Then up to 100 \
        trackers share a call. Apps sign single users in with PUT /v1/trackers/{user}/sign-in.
        """, changes: true
    ) { input in
        guard let text = try secret(in: input.file),
            let auth = try? JSONDecoder().decode(FirebaseAuth.self, from: Data(text.utf8))
        else {
            throw UsageError("there is no JSON with userId, idToken, refreshToken and expiresAt in \(input.file)")
        }
        let sink = input.sink
        try await Application.asking { app, db in
            let known = try known(sink, on: db)
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

    private static func known(_ sink: String, on database: isolated Connection) throws -> StoredSink {
        guard let known = try SinkStore().sinks(named: sink, on: database).first else {
            throw Failure.noSink(sink)
        }
        return known
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
private struct SinkSummary: Shaped, Sendable {
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
