package import HTTP

/// A stored sink: its kind, its settings, and its secret.
package struct SinkDescription: Sendable {
    package let kind: SinkKind
    package let settings: SinkSettings
    private let secret: Secret

    /// `secret` is Firestore's API key, or the key that signs a webhook.
    package init(kind: SinkKind, settings: SinkSettings, secret: String? = nil) {
        self.kind = kind
        self.settings = settings
        self.secret = Secret(secret ?? "")
    }
}

extension SinkDescription {
    /// The destination in a form that may be shown: a URL without path and query, and nothing of the secret.
    package var shown: String {
        switch kind {
        case .firestore:
            [
                "project \(settings.project ?? "?")", settings.database.map { "database \($0)" },
                "collection \(settings.collection ?? Self.defaultCollection)",
                settings.server.flatMap(HTTPURL.init).map { "at \($0)" },
            ].compactMap(\.self).joined(separator: ", ")
        case .webhook: settings.url.flatMap(HTTPURL.init)?.description ?? "?"
        }
    }

    static let defaultCollection = "locations"

    /// The settings of each kind.
    private static let known: [SinkKind: Set<String>] = [
        .firestore: ["project", "database", "collection", "server", "tokenServer", "allowsPrivateAddresses"],
        .webhook: ["url", "allowsPrivateAddresses"],
    ]

    /// Creates the sink, or throws what is missing or wrong. `options` are for its HTTP client; the permission to call
    /// private addresses is decided here.
    package func makeSink(_ options: HTTPClient.Options) throws(SinkMistake) -> any LocationSink {
        let known = Self.known[kind] ?? []
        if let other = SinkSettings.names.first(where: { !known.contains($0.0) && $0.1(settings) }) {
            throw SinkMistake("a sink of the kind \(kind.rawValue) has no setting \(other.0)")
        }
        return switch kind {
        case .firestore: try makeFirestore(options)
        case .webhook: try makeWebhook(options)
        }
    }

    private func makeFirestore(_ options: HTTPClient.Options) throws(SinkMistake) -> FirestoreSink {
        guard let project = settings.project else { throw SinkMistake("a Firestore sink needs the id of a project") }
        guard !secret.text.isEmpty else { throw SinkMistake("a Firestore sink needs the project's API key") }
        guard let collection = FirestorePath(settings.collection ?? Self.defaultCollection) else {
            throw SinkMistake(
                "the collection is not the path of a collection, such as locations or users/{user}/locations")
        }
        let server = try settings.server.map { text throws(SinkMistake) in try url(text, "the server") }
        let tokenServer = try settings.tokenServer.map { text throws(SinkMistake) in try url(text, "the token server") }
        var options = options
        // Google's own servers are the default, not a person's choice. Refusing private addresses would also disable
        // the environment's proxy.
        options.permitsPrivateAddresses = allowsPrivate || (server == nil && tokenServer == nil)
        let http = HTTPClient(options)
        let signIn = FirebaseSignIn(
            apiKey: secret.text, http: http, server: tokenServer ?? FirebaseSignIn.publicServer)
        let sink = FirestoreSink(
            project: project, database: settings.database ?? FirestoreSink.defaultDatabase, collection: collection,
            signIn: signIn, http: http, server: server ?? FirestoreSink.publicServer)
        guard let sink else {
            throw SinkMistake("the project or the database can't be the id of one: letters, digits and - only")
        }
        return sink
    }

    package func makeWebhook(_ options: HTTPClient.Options) throws(SinkMistake) -> WebhookSink {
        let url = try webhookURL()
        let secret = try WebhookSecret(secret.text)
        var options = options
        options.permitsPrivateAddresses = allowsPrivate
        return WebhookSink(url: url, secret: secret, http: HTTPClient(options))
    }

    /// The URL of a webhook, or the reason why it can't be one.
    package func webhookURL() throws(SinkMistake) -> HTTPURL {
        guard let text = settings.url else { throw SinkMistake("a webhook needs a URL") }
        return try url(text, "the webhook's URL")
    }

    /// Refuses a URL that a worker's calls would refuse: one that leads to a private address, unless those are allowed.
    /// Blocks, because it resolves names.
    package func checkAddresses() throws(SinkMistake) {
        if allowsPrivate { return }
        for url in [settings.url, settings.server, settings.tokenServer].compactMap({ $0.flatMap(HTTPURL.init) }) {
            guard url.leadsToPrivateAddress else { continue }
            throw SinkMistake("\(url) leads to a private address; if that is meant, allow it with --allow-private")
        }
    }

    private var allowsPrivate: Bool { settings.allowsPrivateAddresses ?? false }

    private func url(_ text: String, _ what: String) throws(SinkMistake) -> HTTPURL {
        guard let url = HTTPURL(text) else {
            throw SinkMistake("\(what) is not a complete URL of https, or has a user name or a password in it")
        }
        guard url.scheme == "https" || allowsPrivate else {
            throw SinkMistake("\(what) must be https, unless private addresses are allowed")
        }
        return url
    }
}

extension SinkDescription: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(kind.rawValue): \(shown)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A text that is never printed.
struct Secret: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    var description: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A mistake in the description of a sink. Contains nothing secret.
package struct SinkMistake: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
