package import Postgres

/// The database restricted to one account: row-level security hides the rows of all others.
///
/// Connections of the API's pool can only be used through this type, so no code that reads contacts can forget the
/// account.
package struct AccountDatabase: DatabaseAccess {
    package let account: Int
    private let database: Database
    private var share: FairShare?
    /// Called after each answer of the database.
    private let heard: @Sendable () -> Void
    /// The time limit of a turn; nil for no limit. Without a limit, its caller also waits for the turn without a limit.
    private var limit: Duration?

    package init(_ database: Database, account: Int) {
        self.init(database, account: account, share: nil, limit: nil)
    }

    package init(
        _ database: Database, account: Int, share: FairShare?, limit: Duration?,
        heard: @escaping @Sendable () -> Void = {}
    ) {
        self.database = database
        self.account = account
        self.share = share
        self.heard = heard
        self.limit = limit
    }

    /// The same without a time limit, for an import, which takes as long as its contacts do.
    package var withoutLimit: Self {
        var patient = self
        patient.limit = nil
        return patient
    }

    /// The same outside of the account's share of the connections and without a time limit, for work that no request
    /// waits for. The caller limits how much of it runs at once.
    package var inBackground: Self {
        var background = withoutLimit
        background.share = nil
        return background
    }

    /// Runs `body` on a connection of its own; each statement commits by itself.
    @discardableResult
    package func run<Value: Sendable>(
        within limit: Duration? = nil, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        guard let share else { return try await enter(within: limit ?? self.limit, body) }
        return try await share.turn(of: account, isPatient: self.limit == nil) {
            try await enter(within: limit ?? self.limit, body)
        }
    }

    private func enter<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await database.run(within: limit) { [account, heard] connection in
            try connection.set("waypost.account", to: "\(account)")
            let value = try body(connection)
            heard()
            return value
        }
    }
}
