package import Postgres

/// How many fixes of a tracker were not kept for one reason. A fix that a phone sends again is counted again.
package struct RefusedFixes: Hashable, Sendable {
    package let reason: FixRefusal
    package let count: Int
    /// In seconds since 1970.
    package let lastAt: Double
}

/// How many fixes of an account, or of all accounts, were not kept for one reason.
package struct RefusalTally: Hashable, Sendable {
    package let reason: FixRefusal
    package let trackers: Int
    package let count: Int
}

extension TrackerStore {
    /// Counts fixes of a user that were not kept. Returns the reasons that are new for this tracker, and the tracker's
    /// id; nil if the user has none.
    package func count(
        refused: [FixRefusal: Int], of user: String, account: Int, on database: isolated Connection
    ) throws -> (new: [FixRefusal], tracker: Int?) {
        let refused = refused.sorted { $0.key.rawValue < $1.key.rawValue }
        let rows = try database.query(
            """
            WITH whose AS (
                -- The lock keeps the tracker from being erased meanwhile.
                SELECT id FROM trackers WHERE account = \(account)::integer AND user_id = \(user) FOR KEY SHARE
            )
            INSERT INTO refused_fixes AS known (account, tracker, reason, count)
            SELECT \(account)::integer, (SELECT id FROM whose), reason, count
            FROM unnest(\(refused.map(\.key.rawValue)), \(refused.map(\.value))) AS given (reason, count)
            ON CONFLICT (tracker, account, reason) DO UPDATE
            SET count = known.count + excluded.count, last_at = clock_timestamp()
            RETURNING reason, tracker, xmax = 0 AS is_new
            """)
        let new = try rows.filter { try $0.read("is_new") }.compactMap { try FixRefusal($0) }
        return (new, try rows.first?.readIfPresent("tracker"))
    }

    /// Returns the reasons for which fixes of any account were not kept within the last `age`. The counts are since the
    /// tracker was created.
    package func recentRefusals(within age: Duration, on database: isolated Connection) throws -> [RefusalTally] {
        try database.query(
            """
            SELECT reason, count(tracker) AS trackers, sum(count)::bigint AS count
            FROM refused_fixes
            WHERE last_at > clock_timestamp() - \(age)::interval
            GROUP BY reason
            ORDER BY reason
            """
        ).compactMap { row in
            try FixRefusal(row).map {
                try RefusalTally(reason: $0, trackers: row.read("trackers"), count: row.read("count"))
            }
        }
    }
}

extension [RefusedFixes] {
    /// The columns of each of `trackers` that ``init(_:)`` reads.
    static let columns: SQL = "refused.reasons, refused.counts, refused.times"
    static let join: SQL = """
        CROSS JOIN LATERAL (
            SELECT array_agg(reason ORDER BY reason) AS reasons, array_agg(count ORDER BY reason) AS counts,
                   array_agg(extract(epoch FROM last_at)::double precision ORDER BY reason) AS times
            FROM refused_fixes
            WHERE tracker = trackers.id
        ) AS refused
        """

    init(_ row: Row) throws {
        guard let reasons: [String] = try row.readIfPresent("reasons") else {
            self = []
            return
        }
        let (counts, times): ([Int], [Double]) = try (row.read("counts"), row.read("times"))
        self = reasons.indices.compactMap { place in
            FixRefusal(rawValue: reasons[place]).map {
                RefusedFixes(reason: $0, count: counts[place], lastAt: times[place])
            }
        }
    }
}

extension FixRefusal {
    /// Returns nil for a reason of a newer version of this program.
    fileprivate init?(_ row: Row) throws {
        self.init(rawValue: try row.read("reason"))
    }
}
