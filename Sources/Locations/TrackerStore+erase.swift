package import Postgres
package import Queue

/// What was deleted of a user.
package struct ErasedTracker: Hashable, Sendable {
    /// The number that its rows had.
    let tracker: Int
    package let fixes: Int
    package let locations: Int
}

extension TrackerStore {
    /// Deletes all that is known of a user's positions, and the tracker. Nil where there is none. Run it in a transaction.
    package func erase(_ user: String, account: Int, on database: isolated Connection) throws -> ErasedTracker? {
        // Locked first, so that nobody stores another fix meanwhile.
        let tracker: Int? = try database.query(
            "SELECT id FROM trackers WHERE account = \(account)::integer AND user_id = \(user) FOR UPDATE"
        ).first.map { try $0.read("id") }
        guard let tracker else { return nil }
        let erased: ErasedTracker = try database.query(
            """
            WITH positions AS (
                DELETE FROM fixes WHERE tracker = \(tracker)::integer RETURNING 1
            ), locations AS (
                DELETE FROM pending_locations WHERE tracker = \(tracker)::integer RETURNING 1
            )
            SELECT (SELECT count(*) FROM locations) AS locations, (SELECT count(*) FROM positions) AS fixes
            """
        ).map {
            ErasedTracker(tracker: tracker, fixes: try $0.read("fixes"), locations: try $0.read("locations"))
        }[0]
        try database.query("DELETE FROM trackers WHERE id = \(tracker)::integer")
        return erased
    }

    /// The same, and the word of it in the log: who the user was is gone, and only the tracker's number stays.
    package func erase(
        _ user: String, account: Int, by author: Author, on database: isolated Connection
    ) throws -> ErasedTracker? {
        guard let erased = try erase(user, account: account, on: database) else { return nil }
        try AuditLog().keep(
            .eraseTracker, "\(erased.tracker)",
            after: ["fixes": "\(erased.fixes)", "locations": "\(erased.locations)"], by: author, on: database)
        return erased
    }

    /// How many trackers, fixes and locations an account has.
    package func counts(
        ofAccount account: Int, on database: isolated Connection
    ) throws -> (trackers: Int, fixes: Int, locations: Int) {
        let row = try database.query(
            """
            WITH own AS (SELECT id FROM trackers WHERE account = \(account)::integer)
            SELECT (SELECT count(*) FROM own) AS trackers,
                   (SELECT count(*) FROM fixes WHERE tracker IN (SELECT id FROM own)) AS fixes,
                   (SELECT count(*) FROM pending_locations WHERE tracker IN (SELECT id FROM own)) AS locations
            """)[0]
        return (try row.read("trackers"), try row.read("fixes"), try row.read("locations"))
    }

    /// How many trackers each account has, by its number.
    package func countByAccount(on database: isolated Connection) throws -> [Int: Int] {
        let rows = try database.query("SELECT account, count(*) AS trackers FROM trackers GROUP BY account")
        return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.read("account"), try $0.read("trackers")) })
    }

    /// Counts the rows that are left of an erased tracker: none, unless something is wrong.
    package func countLeft(of erased: ErasedTracker, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT (SELECT count(*) FROM trackers WHERE id = \(erased.tracker)::integer)
                + (SELECT count(*) FROM fixes WHERE tracker = \(erased.tracker)::integer)
                + (SELECT count(*) FROM pending_locations WHERE tracker = \(erased.tracker)::integer) AS rows
            """
        )[0].read("rows")
    }
}
