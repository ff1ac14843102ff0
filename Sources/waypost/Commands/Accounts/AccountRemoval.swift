import API
import Access
import Contacts
import Locations
import Postgres
import Processes
import Queue
import Sinks

/// Deletes an account, in transactions that each hold their locks for a short time.
///
/// If it is interrupted, another run deletes the rest.
struct AccountRemoval: Sendable {
    private let app: Application
    private let account: Account
    private let tokens: Int
    private let sinks: [String]
    private let positions: (trackers: Int, fixes: Int, locations: Int)

    /// Nil if no account has this name.
    static func plan(
        for name: String, in app: Application, on database: isolated Connection
    ) throws -> AccountRemoval? {
        guard let account = try app.contacts.countedAccount(named: name, on: database) else { return nil }
        return AccountRemoval(
            app: app, account: account, tokens: try TokenStore().list(account: name, on: database).count,
            sinks: try SinkStore().sinks(account: account.id, on: database).map(\.name),
            positions: try TrackerStore().counts(ofAccount: account.id, on: database))
    }

    /// `2 friends, 3 addresses, 1 token, 1 tracker, 5 fixes, 2 locations and 1 sink`
    var contents: String {
        [
            Words.count(account.friends, "friend"), Words.count(account.addresses, "address", "addresses"),
            Words.count(tokens, "token"), Words.count(positions.trackers, "tracker"),
            Words.count(positions.fixes, "fix", "fixes"), Words.count(positions.locations, "location"),
        ].joined(separator: ", ") + " and \(Words.count(sinks.count, "sink"))"
    }

    func run() async throws {
        try await start()
        for _ in 1...10 {
            try await removeTrackers()
            try await removeSinks()
            while try await removeFriends() > 0 {}
            do {
                return try await app.database.transaction { [account] db in
                    try TokenStore().removeAll(of: account.id, on: db)
                    try ContactStore().deleteAccount(account.id, on: db)
                }
            } catch let error as DatabaseError where error.sqlState == "23503" {
                // An import, or a request that began before the tokens were deleted, has added rows. Try again.
            }
        }
        throw Failure(
            "somebody still adds to the account \(account.name), perhaps an import; stop that, and run the command again"
        )
    }

    /// Deletes the tokens first, so that no client can add anything afterwards.
    private func start() async throws {
        let counts = [
            "friends": account.friends, "addresses": account.addresses, "tokens": tokens, "sinks": sinks.count,
            "trackers": positions.trackers, "fixes": positions.fixes, "locations": positions.locations,
        ].mapValues { "\($0)" }
        try await app.database.transaction { [account] db in
            try AuditLog().append(.deleteAccount, account.name, after: counts, by: .current, on: db)
            try TokenStore().removeAll(of: account.id, on: db)
        }
    }

    private func removeTrackers() async throws {
        while let user = try await app.database.run({ [account] db in
            try TrackerStore().trackers(account: account.id, limit: 1, on: db).first?.user
        }) {
            // Otherwise a worker could upload locations after the erasure.
            try await app.stopTracking(of: user, account: account.name)
            _ = try await app.database.transaction { [account] db in
                try TrackerStore().erase(user, account: account.id, on: db)
            }
        }
    }

    private func removeSinks() async throws {
        try await app.database.transaction { [account] db in
            for sink in try SinkStore().sinks(account: account.id, on: db) {
                _ = try SinkStore().remove(sink.name, on: db)
            }
        }
    }

    private func removeFriends() async throws -> Int {
        try await app.database.transaction { [account] db in
            try AddressSweep().purge(account: account.id, limit: 1_000, on: db)
        }
    }
}
