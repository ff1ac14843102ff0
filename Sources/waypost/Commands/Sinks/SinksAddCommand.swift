import Contacts
import Glibc
import Locations
import Processes
import Queue
import Sinks
import Terminal

struct SinksAddCommand: ChangingCommand {
    static let name = "add"
    static let summary = "Add a sink: upload an account's locations, or call a webhook when places are found."
    static let discussion = """
        A sink has a lane of its own, upload:NAME, with limits, retries and a breaker as providers have them. Secrets come from \
        a file or from standard input, and are sealed before they are stored (WAYPOST_SEALING_KEYS).

          waypost sinks add app --kind firestore --project my-app --secret-file api-key.txt --account app --default
          waypost sinks add hook --kind webhook --url https://example.org/locations --secret-file secret.txt

        A tracker uploads to the sink that it is started with: waypost trackers start USER --sink NAME

        With --places a webhook takes no locations. It is called when friends of the account or their places have changed, and when \
        no address waits any more (places.complete):

          waypost sinks add found --kind webhook --places --url https://example.org/places --secret-file secret.txt
        """

    @Argument("NAME", "The sink's name: small letters, digits, - and _.") var sink: String
    @Option("--kind", "KIND", "The kind of sink.") var kind: SinkKind
    @Option("--account", "NAME", "The account whose locations it gets.") var account = "default"
    @Option(
        "--secret-file", "FILE", "Firestore's API key, or a webhook's secret; - is standard input.")
    var secretFile: String?
    @Option("--project", "ID", "Firestore: the project.") var project: String?
    @Option("--database", "ID", "Firestore: another database than (default).") var firestoreDatabase: String?
    @Option("--collection", "PATH", "Firestore: the collection, such as users/{user}/locations; by default locations.")
    var collection: String?
    @Option("--server", "URL", "Firestore: another server, such as an emulator.") var server: String?
    @Option("--token-server", "URL", "Firestore: another server that renews tokens.") var tokenServer: String?
    @Option("--url", "URL", "Webhook: where to post.") var url: String?
    @Flag("--places", "Webhook: call it when places are found. It takes no locations.") var isAboutPlaces
    @Flag("--allow-private", "Calls may go to this machine and to private networks, and without TLS.") var allowsPrivate
    @Option("--pause", "TIME", "Between two uploads of one tracker, or two calls about places; by default 5s.")
    var pause: Duration?
    @Flag("--default", "New trackers of the account use it.") var isDefault

    func run() async throws {
        guard sink.wholeMatch(of: /[a-z0-9][a-z0-9_-]{0,49}/) != nil else {
            throw UsageError("NAME must be 1 to 50 small letters, digits, - or _, and begin with a letter or a digit")
        }
        if isAboutPlaces, kind != .webhook { throw UsageError("--places needs --kind webhook") }
        if isAboutPlaces, isDefault {
            throw UsageError("a webhook about places takes no locations: leave --default out")
        }
        var settings = SinkSettings()
        (settings.project, settings.database, settings.collection) = (project, firestoreDatabase, collection)
        (settings.server, settings.tokenServer, settings.url) = (server, tokenServer, url)
        settings.allowsPrivateAddresses = allowsPrivate ? true : nil
        let secret = try secret(in: secretFile)
        let about: SinkSubject = isAboutPlaces ? .places : .locations
        let added = try await Application.asking { [kind, account, sink, pause, isDefault, settings] app, db in
            try app.check(kind, settings, secret)
            let sinks = SinkStore()
            guard try sinks.sinks(named: sink, on: db).isEmpty else {
                throw UsageError("there is already a sink called \"\(sink)\"; 'waypost sinks set' changes it")
            }
            let keys = try app.makeSealingKeys()
            let id = try sinks.add(
                sink, kind, about: about,
                SinkStore.Changes(
                    settings: settings, signsIn: kind == .firestore, isDefault: isDefault, pause: pause),
                limits: kind.limits, batch: kind.batch, account: app.contacts.openAccount(named: account, on: db),
                on: db)
            if let secret {
                try sinks.setSecret(keys.seal(secret, for: SinkStore.context(of: id)), of: sink, on: db)
            }
            try AuditLog().append(
                .addSink, sink, after: ["kind": kind.rawValue, "account": account], by: .current, on: db)
            return SinkDescription(kind: kind, settings: settings)
        }
        Screen.output.writeLine("Added the sink \(sink): \(added). Its lane is \(SinkStore.lane(of: sink)).")
        if !isDefault, !isAboutPlaces {
            Screen.errors.writeLine(
                "No tracker uses it yet: waypost trackers start USER --account \(account) --sink \(sink)")
        }
    }
}

extension SinkKind: OptionValue {
    /// The default limits for a sink of this kind. Firestore recommends fewer than 500 writes a second at the start.
    var limits: [RateLimit] {
        RateLimit(self == .firestore ? 20 : 10, per: .seconds(1)).map { [$0] } ?? []
    }

    /// How many trackers share a call. A call to Firestore carries the token of one user, unless one sign-in is shared
    /// by all.
    var batch: Int { self == .firestore ? 1 : Self.sharedBatch }

    static let sharedBatch = 100
}

/// The content of a file, or of standard input for `-`, without white space around it. Nil without a file.
func secret(in file: String?) throws(UsageError) -> String? {
    guard let file else { return nil }
    let text = file == "-" ? SettingsReader.text(in: STDIN_FILENO) : SettingsReader.text(of: file)
    guard let secret = text else { throw UsageError("can't read the secret from \(file)") }
    guard !secret.isEmpty else { throw UsageError("there is no secret in \(file)") }
    return secret
}

extension Application {
    /// Checks whether a sink can be made of these settings. If not, throws a usage error.
    func check(_ kind: SinkKind, _ settings: SinkSettings, _ secret: String?) throws(UsageError) {
        do {
            let description = SinkDescription(kind: kind, settings: settings, secret: secret)
            _ = try description.makeSink(self.settings.providers.clientOptions)
            try description.checkAddresses()
        } catch { throw UsageError("\(error)") }
    }
}
