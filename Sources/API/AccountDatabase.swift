import Contacts
package import Postgres

/// The database as one account sees it: row-level security hides the rows of all others.
///
/// There is no other way to a connection of the API's pool that reads contacts, so no code can forget to name the account.
package struct AccountDatabase: ImportDatabase {
    package let account: Int
    private let database: Database

    package init(_ database: Database, account: Int) {
        self.database = database
        self.account = account
    }

    /// Runs `body` on a connection of its own; each statement commits by itself.
    @discardableResult
    package func run<Value: Sendable>(
        within limit: Duration? = nil, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await database.run(within: limit) { [account] connection in
            try connection.keep("waypost.account", at: "\(account)")
            return try body(connection)
        }
    }

    /// Runs `body` in one transaction: all of it happens, or none.
    @discardableResult
    package func transaction<Value: Sendable>(
        within limit: Duration? = nil, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await run(within: limit) { connection in try connection.transaction(body) }
    }
}
