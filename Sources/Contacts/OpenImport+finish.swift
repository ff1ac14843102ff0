import Postgres

/// The results of an import, summed over all its runs.
package struct ImportSummary: Sendable, Equatable {
    /// The result for contacts that are no longer in the source.
    package enum Removal: Sendable, Equatable {
        /// The source was not complete.
        case notMeant
        case done(Int)
        /// A refused row may be any contact, so none was removed.
        case heldBackByRefusals
        /// The source had no contact at all, which is probably a mistake.
        case heldBackByEmptiness

        /// The reason why a complete source removed no friends, as a word for programs.
        package var heldBackBy: String? {
            switch self {
            case .notMeant, .done: nil
            case .heldBackByRefusals: "refusals"
            case .heldBackByEmptiness: "emptiness"
            }
        }
    }

    /// Contacts in the source, including those that a later contact with the same key replaced.
    package var contacts = 0
    package var counts = SyncCounts()
    package var refused = 0
    package var removal = Removal.notMeant

    package var removed: Int { if case .done(let count) = removal { count } else { 0 } }

    package init(
        contacts: Int = 0, counts: SyncCounts = SyncCounts(), refused: Int = 0, removal: Removal = .notMeant
    ) {
        self.contacts = contacts
        self.counts = counts
        self.refused = refused
        self.removal = removal
    }
}

extension OpenImport {
    /// Ends the import, in one transaction. If the feed is complete, friends that are no longer in it are soft-deleted.
    ///
    /// They stay if rows were refused, because those may be any contact, or if there was no contact at all. The rules
    /// may say otherwise.
    func finish(refused: Int = 0, on database: isolated Connection) throws -> ImportSummary {
        try database.transaction { database in
            let held = try database.query(
                """
                SELECT
                FROM imports
                WHERE id = \(id)::integer AND attempt = \(attempt)::integer AND finished_at IS NULL
                FOR UPDATE
                """)
            guard held.count == 1 else { throw ContactError.takenOver(rules.feed) }
            var summary = try sum(on: database)
            summary.refused = refused
            if rules.isComplete {
                if refused > 0, !rules.removesDespiteRefusals {
                    summary.removal = .heldBackByRefusals
                } else if summary.contacts == 0, !rules.mayBeEmpty {
                    summary.removal = .heldBackByEmptiness
                } else {
                    summary.removal = .done(try removeUnseen(on: database))
                }
            }
            try close(summary, on: database)
            return summary
        }
    }

    /// Sums the results of all batches, of this run and of earlier runs.
    private func sum(on database: isolated Connection) throws -> ImportSummary {
        let row = try database.query(
            """
            SELECT coalesce(sum(contacts), 0) AS contacts, \(part: SyncCounts.sums)
            FROM import_batches
            WHERE import = \(id)::integer
            """)[0]
        return ImportSummary(contacts: try row.read("contacts"), counts: try SyncCounts(row))
    }

    private func removeUnseen(on database: isolated Connection) throws -> Int {
        // Before the first ANALYZE the planner expects one friend in the feed, and would scan all seen friends for each
        // of a million.
        try database.query("SET LOCAL enable_nestloop = off")
        return try database.query(
            """
            WITH seen AS MATERIALIZED (
                SELECT unnest(friends) AS id FROM import_batches WHERE import = \(id)::integer
            )
            UPDATE friends
            SET deleted_at = now(), updated_at = now()
            WHERE account = \(account)::integer AND feed = \(rules.feed) AND deleted_at IS NULL
              AND NOT EXISTS (SELECT FROM seen WHERE seen.id = friends.id)
            """
        ).affected
    }

    private func close(_ summary: ImportSummary, on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE imports
            SET contacts = \(summary.contacts), (\(part: SyncCounts.columns)) = ROW (\(part: summary.counts.values)),
                removed = \(summary.removed), refused = \(summary.refused), updated_at = now(), finished_at = now()
            WHERE id = \(id)::integer
            """)
        try database.query("DELETE FROM import_batches WHERE import = \(id)::integer")
    }
}
