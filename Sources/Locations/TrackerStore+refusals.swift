package import Postgres
import Tracking

/// How many fixes of a tracker were not kept for one reason. A fix that a phone sends again is counted once.
package struct RefusedFixes: Hashable, Sendable {
    package let reason: FixRefusal
    package let count: Int
    /// In seconds since 1970.
    package let lastAt: Double
}

/// A fix that is not kept.
package struct RefusedFix: Sendable {
    package let reason: FixRefusal
    /// The same each time the phone sends the fix; nil if that is unknown.
    package let key: Int?

    package init(_ reason: FixRefusal, key: Int? = nil) { (self.reason, self.key) = (reason, key) }

    package init(_ reason: FixRefusal, _ received: ReceivedFix) {
        guard let fix = try? received.fix.get() else {
            self.init(reason)
            return
        }
        self.init(reason, fix)
    }

    init(_ reason: FixRefusal, _ fix: Fix) {
        let parts = [fix.lat, fix.lng, fix.timestamp].map(\.bitPattern)
        self.init(
            reason,
            key: Self.key(of: parts.flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> ($0 * 8)) } }))
    }

    /// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    package static func key(of bytes: [UInt8]) -> Int {
        Int(bitPattern: UInt(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }))
    }
}

/// How many refused fixes are new for each reason, the reasons that are new for their tracker, and the tracker's id; nil
/// if the user has none.
package typealias CountedRefusals = (counts: [FixRefusal: Int], new: [FixRefusal], tracker: Int?)

/// How many fixes of an account, or of all accounts, were not kept for one reason.
package struct RefusalTally: Hashable, Sendable {
    package let reason: FixRefusal
    package let trackers: Int
    package let count: Int
}

extension TrackerStore {
    /// The most keys of refused fixes that are kept for a tracker and a reason: more than a phone's queue sends at once.
    static let mostKeys = 5_000

    /// Counts fixes of a user that were not kept. A fix that comes again is not counted again.
    package func count(
        refused: [RefusedFix], of user: String, account: Int, on database: isolated Connection
    ) throws -> CountedRefusals {
        let rows = try database.query(
            """
            WITH whose AS MATERIALIZED (
                -- The lock keeps the tracker from being erased meanwhile.
                SELECT id FROM trackers WHERE account = \(account)::integer AND user_id = \(user) FOR KEY SHARE
            ), given AS (
                SELECT reason, array_agg(DISTINCT key) FILTER (WHERE key IS NOT NULL) AS keys,
                       count(*) FILTER (WHERE key IS NULL) AS without_key
                FROM unnest(\(refused.map(\.reason.rawValue)), \(refused.map(\.key))) AS given (reason, key)
                GROUP BY reason
            ), fresh AS MATERIALIZED (
                SELECT given.reason, coalesce(keys, '{}') AS keys,
                       without_key + (SELECT count(*) FROM (SELECT unnest(keys) EXCEPT SELECT unnest(recent)) AS others)
                           AS number
                FROM given
                LEFT JOIN refused_fixes AS known
                    ON known.account = \(account)::integer AND known.reason = given.reason
                   AND known.tracker IS NOT DISTINCT FROM (SELECT id FROM whose)
            ), counted AS (
                INSERT INTO refused_fixes AS known (account, tracker, reason, count, recent)
                SELECT \(account)::integer, (SELECT id FROM whose), reason, greatest(number, 1),
                       keys[1:\(Self.mostKeys)::integer]
                FROM fresh
                ORDER BY reason
                ON CONFLICT (tracker, account, reason) DO UPDATE
                SET count = known.count + (SELECT number FROM fresh WHERE fresh.reason = excluded.reason),
                    last_at = clock_timestamp(),
                    recent = CASE WHEN (SELECT number FROM fresh WHERE fresh.reason = excluded.reason) = 0 THEN known.recent
                        ELSE (excluded.recent || ARRAY(SELECT unnest(known.recent) EXCEPT SELECT unnest(excluded.recent)))
                             [1:\(Self.mostKeys)::integer] END
                RETURNING reason, tracker, xmax = 0 AS is_new
            )
            SELECT reason, tracker, is_new, number FROM counted JOIN fresh USING (reason)
            """)
        let new = try rows.filter { try $0.read("is_new") }.compactMap { try FixRefusal($0) }
        let counts = try rows.compactMap { row in try FixRefusal(row).map { ($0, try row.read("number", as: Int.self)) }
        }
        return (
            Dictionary(counts, uniquingKeysWith: +).filter { $0.value > 0 }, new,
            try rows.first?.readIfPresent("tracker")
        )
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
