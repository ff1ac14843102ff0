import Contacts
import Locations
import Operations
import Postgres
import Sentences
import Sinks
import Terminal

struct SinksListCommand: Command {
    static let name = "list"
    static let summary = "Show where locations are uploaded to, and what still waits or was refused."

    @Option("--account", "NAME", "Only the sinks of this account.") var account: String?
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let (sinks, names) = try await Application.asking { [account] app, db in
            let number = try account.map { try app.account(withTrackers: $0, on: db) }
            let sinks = try SinkStore().sinks(account: number, on: db)
            let loads = try UploadStore().loads(on: db)
            return (
                sinks.map { (sink: $0, load: loads[$0.id] ?? SinkLoad()) }, try app.contacts.accountNames(on: db)
            )
        }
        if json { return try Screen.output.writeJSON(sinks.map { SinkJSON($0, $1, account: names[$0.account] ?? "") }) }
        if sinks.isEmpty {
            return Screen.output.writeLine("There is no sink. Add one with 'waypost sinks add NAME --kind KIND'.")
        }
        var table = Table(
            .left("SINK"), .left("ACCOUNT"), .left("LEADS TO"), .right("TRACKERS"), .right("WAITING"),
            .right("REFUSED") { $0 == "0" ? nil : .yellow }, .right("NOT SIGNED IN") { $0 == "0" ? nil : .yellow },
            .left("DEFAULT"))
        for (sink, load) in sinks {
            table.add(
                sink.name, names[sink.account] ?? "", "\(sink.kind.rawValue): \(sink.place)",
                Readable.count(load.trackers), Readable.count(load.due), Readable.count(load.refused),
                Readable.count(load.signedOut), sink.isDefault ? "yes" : "no")
        }
        table.write(to: .output)
    }
}

extension StoredSink {
    /// Without what may be secret.
    fileprivate var place: String { SinkDescription(kind: kind, settings: settings).shown }
}

/// The form of a sink in `sinks list --json`.
private struct SinkJSON: Encodable {
    let name, account, kind, place, lane: String
    let isDefault: Bool
    let pauseSeconds: Double
    let trackers, waiting, refused, notSignedIn: Int

    init(_ sink: StoredSink, _ load: SinkLoad, account: String) {
        (name, self.account, kind) = (sink.name, account, sink.kind.rawValue)
        (place, lane, isDefault) = (sink.place, sink.lane, sink.isDefault)
        pauseSeconds = sink.pause / .seconds(1)
        (trackers, waiting, refused, notSignedIn) = (load.trackers, load.due, load.refused, load.signedOut)
    }
}

struct SinksSetCommand: Command {
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
        let secret = try SinkPlace(settings: SinkSettings(), secretFile: secretFile).secret()
        if secret == nil, pause == nil, !isDefault, !isNoDefault { throw UsageError("there is nothing to change; see --help") }
        try await Application.asking { [sink, pause, isDefault, isNoDefault] app, db in
            let sinks = SinkStore()
            guard let known = try sinks.sinks(named: sink, on: db).first else { throw NoSinkOfThisName(name: sink) }
            if let secret {
                try app.check(known.kind, known.settings, secret)
                try sinks.keep(app.makeSealingKeys().seal(secret, for: known.context), of: sink, on: db)
            }
            try sinks.change(
                sink, SinkStore.Changes(isDefault: isDefault ? true : isNoDefault ? false : nil, pause: pause), on: db)
        }
        Screen.output.writeLine("Changed the sink \(sink).")
    }
}

struct SinksRemoveCommand: Command {
    static let name = "remove"
    static let summary = "Upload nothing to a sink any more. What it has stays there."

    @Argument("NAME", "The sink.") var sink: String
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        let app = try await Application.forCommand()
        guard let load = try await app.database.run({ [sink] db throws -> SinkLoad? in
            try SinkStore().sinks(named: sink, on: db).first.map { try UploadStore().loads(on: db)[$0.id] ?? SinkLoad() }
        }) else { throw NoSinkOfThisName(name: sink) }
        try confirm(
            "Remove the sink \(sink)? \(Words.count(load.trackers, "tracker")) will upload nowhere; \(Words.count(load.due, "location")) "
                + "that it doesn't have will not get there.", isSure: yes)
        let isRemoved = try await app.database.transaction { [sink] in try SinkStore().remove(sink, on: $0) }
        await app.database.close()
        guard isRemoved else { throw NoSinkOfThisName(name: sink) }
        Screen.output.writeLine("Removed the sink \(sink). Its lane \(SinkStore.lane(of: sink)) stays, for the log of its calls.")
    }
}
