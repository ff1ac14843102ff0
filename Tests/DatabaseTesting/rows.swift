package import Postgres

/// Returns a statement's rows, for use inside `#expect`, whose expansion can't call an actor's own methods.
package func rows(_ sql: SQL, on database: isolated Connection) throws -> Rows {
    try database.query(sql)
}

extension Database {
    /// Runs one statement on a connection of the pool, and returns its rows.
    @discardableResult
    package func query(_ sql: SQL) async throws -> Rows { try await run { try $0.query(sql) } }

    /// Runs the statements of a script on a connection of the pool.
    package func run(script: String) async throws { try await run { _ = try $0.run(script: script) } }
}
