package import Postgres
package import Queue

/// The data of a user that was deleted.
package struct ErasedTracker: Hashable, Sendable {
    /// The id of the tracker.
    let tracker: Int
    package let fixes: Int
    package let locations: Int
}

extension TrackerStore {
    /// Deletes all positions of a user, and the tracker. Returns nil if there is none. Run it in a transaction.
    package func erase(_ user: String, account: Int, on database: isolated Connection) throws -> ErasedTracker? {
        // Locked first, so that no other transaction stores another fix meanwhile.
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

    /// Does the same, and writes the act to the log. The log does not contain the user, only the tracker's id.
    package func erase(
        _ user: String, account: Int, by author: Author, on database: isolated Connection
    ) throws -> ErasedTracker? {
        guard let erased = try erase(user, account: account, on: database) else { return nil }
        try AuditLog().append(
            .eraseTracker, "\(erased.tracker)",
            after: ["fixes": "\(erased.fixes)", "locations": "\(erased.locations)"], by: author, on: database)
        return erased
    }

    /// Counts the trackers, fixes and locations of an account.
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

    /// Counts the trackers of each account, by its id.
    package func countByAccount(on database: isolated Connection) throws -> [Int: Int] {
        let rows = try database.query("SELECT account, count(*) AS trackers FROM trackers GROUP BY account")
        return try Dictionary(
            rows.map { (try $0.read("account"), try $0.read("trackers")) }, uniquingKeysWith: { first, _ in first })
    }

    /// Counts the rows that are left of an erased tracker: zero, unless there is a bug.
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

extension TrackerStore {
    /// Makes and drops partitions of the position tables by day, and deletes locations that were uploaded longer ago
    /// than `retention`; nil keeps them. Returns the partitions made and dropped, and if there is more to delete than
    /// one call deletes.
    package func maintainPartitions(
        ahead: Int = 3, retention: Duration?, on database: isolated Connection
    ) throws -> (made: [String], dropped: [String], isMore: Bool) {
        let changes = try database.query(
            "SELECT partition, happened FROM keep_location_partitions(\(ahead)::integer, \(retention)::interval)")
        let names = try changes.map {
            (name: try $0.read("partition", as: String.self), how: try $0.read("happened", as: String.self))
        }
        return (
            names.filter { $0.how == "made" }.map(\.name), names.filter { $0.how == "dropped" }.map(\.name),
            names.contains { $0.how == "more" }
        )
    }
}
