package import Postgres
package import Queue

/// A source of contacts that is being read into an account.
///
/// Each batch is stored together with a note of it. So an import that was killed, and is run again with the same
/// source, continues after the batches that it has committed.
package struct Feed: Sendable {
    let writer: ContactWriter
    let account: Int
    let name: String
    let id: Int
    /// The number of this run. A run that takes the import over increments it.
    let attempt: Int
    let isComplete: Bool

    /// Contacts of the source that an earlier run has stored, counted from 0.
    package let stored: [Range<Int>]

    /// Stores a batch in one transaction: the contacts of the source that come after `first` others.
    ///
    /// Storing the same batch again changes nothing: after a lost connection it is unknown whether it was stored.
    /// Throws if another run has taken the import over.
    package func store(
        _ batch: HashedFriends, first: Int, contacts: Int, priority: Priority = .usual,
        on database: isolated Connection
    ) throws -> SyncCounts {
        try database.transaction { database in
            if let counts = try noted(first, on: database) { return counts }
            let (counts, friends) = try writer.sync(
                batch, account: account, feed: name, priority: priority, on: database)
            // The lock keeps the import's row unchanged, so a run that takes over waits here for batches under way.
            let noted = try database.query(
                """
                INSERT INTO import_batches (import, first, contacts, \(part: SyncCounts.columns), friends)
                SELECT id, \(first)::integer, \(contacts)::integer, \(part: counts.values),
                       CASE WHEN is_complete THEN \(friends) END
                FROM imports
                WHERE id = \(id)::integer AND attempt = \(attempt)::integer AND finished_at IS NULL
                FOR SHARE
                """)
            guard noted.affected == 1 else { throw ContactError.takenOver(name) }
            return counts
        }
    }

    /// Returns the results of the batch that begins after this many contacts, if it is stored.
    private func noted(_ first: Int, on database: isolated Connection) throws -> SyncCounts? {
        try database.query(
            """
            SELECT \(part: SyncCounts.columns)
            FROM import_batches
            WHERE import = \(id)::integer AND first = \(first)::integer
            """
        ).first.map(SyncCounts.init)
    }
}

extension ContactWriter {
    /// Begins to read a feed into an account, or continues an earlier run of the same source.
    ///
    /// The latest run owns the feed: an earlier run that is still active stops at its next batch with an error. Waiting
    /// for it would also mean waiting for one that was killed. With a nil `fingerprint` no run is continued: this is
    /// for a source that can't be identified, such as a pipe.
    package func begin(
        feed: String, account: Int, fingerprint: String?, isComplete: Bool, on database: isolated Connection
    ) throws -> Feed {
        try database.transaction { database in
            // Contacts without a feed are never removed, and a pipe can't be resumed: such imports can't conflict.
            if feed.isEmpty, fingerprint == nil, !isComplete { return try beginAlone(account: account, on: database) }
            let open = try database.query(
                """
                UPDATE imports
                SET attempt = attempt + 1, updated_at = now()
                WHERE account = \(account)::integer AND feed = \(feed) AND finished_at IS NULL
                RETURNING id, attempt, fingerprint = \(fingerprint) AND is_complete = \(isComplete) AS is_same
                """
            ).first
            if let open, try open.readIfPresent("is_same") == true {
                let batches = try database.query(
                    "SELECT first, contacts FROM import_batches WHERE import = \(open.read("id", as: Int.self)) ORDER BY first"
                )
                let stored = try batches.map { batch in
                    let first: Int = try batch.read("first")
                    return try first..<(first + max(0, batch.read("contacts")))
                }
                return Feed(
                    writer: self, account: account, name: feed, id: try open.read("id"),
                    attempt: try open.read("attempt"), isComplete: isComplete, stored: stored)
            }
            if let open { try database.query("DELETE FROM imports WHERE id = \(open.read("id", as: Int.self))") }
            let id: Int =
                try database.query(
                    """
                    INSERT INTO imports (account, feed, fingerprint, is_complete)
                    VALUES (\(account)::integer, \(feed), coalesce(\(fingerprint), gen_random_uuid()::text), \(isComplete))
                    ON CONFLICT (account, feed) WHERE finished_at IS NULL DO NOTHING
                    RETURNING id
                    """
                ).first.map { try $0.read("id") } ?? { throw ContactError.takenOver(feed) }()
            return Feed(
                writer: self, account: account, name: feed, id: id, attempt: 1, isComplete: isComplete, stored: [])
        }
    }
}

extension ContactWriter {
    /// Begins an import that no later run continues.
    private func beginAlone(account: Int, on database: isolated Connection) throws -> Feed {
        // Killed imports of this kind are useless.
        try database.query(
            """
            DELETE FROM imports
            WHERE account = \(account)::integer AND feed LIKE 'once:%' AND finished_at IS NULL
              AND started_at < now() - interval '7 days'
            """)
        let id: Int = try database.query(
            """
            INSERT INTO imports (account, feed, fingerprint, is_complete)
            VALUES (\(account)::integer, 'once:' || gen_random_uuid(), gen_random_uuid()::text, false)
            RETURNING id
            """)[0].read("id")
        return Feed(writer: self, account: account, name: "", id: id, attempt: 1, isComplete: false, stored: [])
    }
}

extension ContactError {
    static func takenOver(_ feed: String) -> ContactError {
        ContactError(
            "another import of the feed \"\(feed)\" into this account has begun since, and replaces this one",
            cause: .takenOver)
    }
}
