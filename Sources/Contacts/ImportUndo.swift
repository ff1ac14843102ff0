package import Postgres
package import Queue

/// The result of taking an import back.
package struct ImportUndo: Sendable, Equatable {
    /// When the import began, in ISO 8601, in UTC.
    package let startedAt: String
    /// Contacts that the import had added; they are soft-deleted now.
    package let deleted: Int
    /// Contacts that the import had removed; they are back.
    package let restored: Int
    /// Contacts that the import had changed. Their former values are not stored, so they stay as they are.
    package let changed: Int
}

extension ContactStore {
    /// Takes the latest import of a feed back, and writes the act to the log. Nil if there was none. Run it in a
    /// transaction. The import is forgotten, so the next call takes the one before it back.
    package func undoImport(
        of feed: String, account: String, by author: Author, on database: isolated Connection
    ) throws -> ImportUndo? {
        let latest = try database.query(
            """
            SELECT imports.id, imports.account, changed,
                   \(part: .utc("started_at")) AS started
            FROM imports
            JOIN accounts ON accounts.id = imports.account
            WHERE accounts.name = \(account) AND feed = \(feed)
            ORDER BY imports.id DESC
            LIMIT 1
            FOR UPDATE OF imports
            """
        ).first
        guard let latest else { return nil }
        let (id, owner) = (try latest.read("id", as: Int.self), try latest.read("account", as: Int.self))
        // Each batch is a transaction of the import, whose time lies between its start and its end.
        let span: SQL = """
            BETWEEN (SELECT started_at FROM imports WHERE id = \(id)::integer)
                AND (SELECT coalesce(finished_at, now()) FROM imports WHERE id = \(id)::integer)
            """
        let restored = try database.query(
            """
            UPDATE friends
            SET deleted_at = NULL, updated_at = now()
            WHERE account = \(owner)::integer AND feed = \(feed) AND deleted_at \(part: span)
              AND created_at < (SELECT started_at FROM imports WHERE id = \(id)::integer)
            """
        ).affected
        let deleted = try database.query(
            """
            UPDATE friends
            SET deleted_at = now(), updated_at = now()
            WHERE account = \(owner)::integer AND feed = \(feed) AND deleted_at IS NULL AND created_at \(part: span)
            """
        ).affected
        try database.query("DELETE FROM imports WHERE id = \(id)::integer")
        let undo = ImportUndo(
            startedAt: try latest.read("started"), deleted: deleted, restored: restored,
            changed: try latest.read("changed"))
        try AuditLog().append(
            .undoImport, feed,
            after: ["account": account, "deleted": "\(deleted)", "restored": "\(restored)", "started": undo.startedAt],
            by: author, on: database)
        return undo
    }
}
