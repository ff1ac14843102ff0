import Postgres
import Queue

/// The rules of an import, besides its source.
package struct ImportRules: Sendable {
    /// The source's name when it is imported again. A friend belongs to the feed that brought them last. With an empty
    /// name the friend belongs to none.
    package var feed = ""
    /// The source's identity, see ``SourceFingerprint``. With nil an interrupted import starts again from the
    /// beginning: this is for a source that can't be identified, such as a pipe.
    package var fingerprint: String?
    /// True if the source has all contacts of the feed: then the others are soft-deleted.
    package var isComplete = false
    /// True if a complete source may have no contact at all.
    package var mayBeEmpty = false
    /// True if contacts missing from a complete source are soft-deleted even though some of its contacts were refused.
    package var removesDespiteRefusals = false

    package init(
        feed: String = "", fingerprint: String? = nil, isComplete: Bool = false, mayBeEmpty: Bool = false,
        removesDespiteRefusals: Bool = false
    ) {
        (self.feed, self.fingerprint, self.isComplete) = (feed, fingerprint, isComplete)
        (self.mayBeEmpty, self.removesDespiteRefusals) = (mayBeEmpty, removesDespiteRefusals)
    }
}

/// An import that has begun and has not finished: a row of `imports`.
///
/// Each batch is stored together with a note of it. So an import that was killed, and is run again with the same
/// source, continues after the batches that it has committed.
struct OpenImport: Sendable {
    let writer: ContactWriter
    let rules: ImportRules
    let account: Int
    let id: Int
    /// The number of this run. A run that takes the import over increments it.
    let attempt: Int
    /// Contacts of the source that an earlier run has stored, counted from 0.
    let stored: [Range<Int>]

    /// Stores a batch in one transaction.
    ///
    /// Storing the same batch again changes nothing: after a lost connection it is unknown whether it was stored.
    /// Throws if another run has taken the import over.
    func store(_ batch: ImportBatch, on database: isolated Connection) throws -> SyncCounts {
        try database.transaction { database in
            if let counts = try noted(batch.first, on: database) { return counts }
            let (counts, friends) = try writer.sync(
                batch.friends, account: account, feed: rules.feed, priority: batch.priority, on: database)
            // The lock keeps the import's row unchanged, so a run that takes over waits here for batches under way.
            let noted = try database.query(
                """
                INSERT INTO import_batches (import, first, contacts, \(part: SyncCounts.columns), friends)
                SELECT id, \(batch.first)::integer, \(batch.contacts)::integer, \(part: counts.values),
                       CASE WHEN is_complete THEN \(friends) END
                FROM imports
                WHERE id = \(id)::integer AND attempt = \(attempt)::integer AND finished_at IS NULL
                FOR SHARE
                """)
            guard noted.affected == 1 else { throw ContactError.takenOver(rules.feed) }
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
    /// Begins an import into an account, or continues an earlier run of the same source.
    ///
    /// The latest run owns the feed: an earlier run that is still active stops at its next batch with an error. Waiting
    /// for it would also mean waiting for one that was killed.
    func begin(_ rules: ImportRules, account: Int, on database: isolated Connection) throws -> OpenImport {
        try database.transaction { database in
            let (feed, fingerprint, isComplete) = (rules.feed, rules.fingerprint, rules.isComplete)
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
                return OpenImport(
                    writer: self, rules: rules, account: account, id: try open.read("id"),
                    attempt: try open.read("attempt"), stored: stored)
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
            return OpenImport(writer: self, rules: rules, account: account, id: id, attempt: 1, stored: [])
        }
    }
}

extension ContactWriter {
    /// Begins an import that no later run continues.
    private func beginAlone(account: Int, on database: isolated Connection) throws -> OpenImport {
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
        return OpenImport(writer: self, rules: ImportRules(), account: account, id: id, attempt: 1, stored: [])
    }
}

extension ContactError {
    static func takenOver(_ feed: String) -> ContactError {
        ContactError(
            "another import of the feed \"\(feed)\" into this account has begun since, and replaces this one",
            cause: .takenOver)
    }
}
