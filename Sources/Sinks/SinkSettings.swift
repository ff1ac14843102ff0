/// The kind of a sink. The names are stored. Rows may have a kind that is no longer one of these: `file`, `table`.
package enum SinkKind: String, CaseIterable, Codable, Sendable {
    case firestore, webhook
}

/// The subject of a sink's messages. The names are stored.
package enum SinkSubject: String, Sendable {
    /// Locations of trackers.
    case locations
    /// Places of friends. Only a webhook has this subject.
    case places
}

/// The settings of a sink that are not secret, stored as JSON. The kind decides which of them it has.
package struct SinkSettings: Codable, Hashable, Sendable {
    /// For Firestore.
    package var project: String?
    package var database: String?
    /// `locations`, or a path such as `users/{user}/locations`.
    package var collection: String?
    /// Servers other than Google's, such as an emulator.
    package var server: String?
    package var tokenServer: String?
    /// For a webhook. The URL may contain a key, so only ``SinkDescription/shown`` is shown.
    package var url: String?
    /// Calls may go to this machine and to the local network, and without TLS.
    package var allowsPrivateAddresses: Bool?

    package init() {}

    /// The names of all settings, each with a test if it is set.
    static let names: [(String, @Sendable (Self) -> Bool)] = [
        ("project", { $0.project != nil }), ("database", { $0.database != nil }),
        ("collection", { $0.collection != nil }), ("server", { $0.server != nil }),
        ("tokenServer", { $0.tokenServer != nil }), ("url", { $0.url != nil }),
        ("allowsPrivateAddresses", { $0.allowsPrivateAddresses == true }),
    ]

    private enum CodingKeys: String, CodingKey {
        case project, database, collection, server, url
        case tokenServer = "token_server"
        case allowsPrivateAddresses = "allows_private_addresses"
    }
}
