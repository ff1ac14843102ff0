package import Postgres
package import Tracking

/// The results of the fixes in a history.
package struct HistoryCounts: Hashable, Sendable {
    /// Part of a location.
    package var taken = 0
    /// Stored, but not believed.
    package var doubted = 0
    /// Not stored, because they are not believed and their tracker drops such fixes.
    package var tooFast = 0
    /// Stored already.
    package var repeated = 0

    package init(taken: Int = 0, doubted: Int = 0, tooFast: Int = 0, repeated: Int = 0) {
        (self.taken, self.doubted, self.tooFast, self.repeated) = (taken, doubted, tooFast, repeated)
    }

    package static func += (counts: inout Self, other: Self) {
        counts.taken += other.taken
        counts.doubted += other.doubted
        counts.tooFast += other.tooFast
        counts.repeated += other.repeated
    }
}

extension TrackerStore {
    /// Makes sure that a user has a tracker; returns true if it is new. A new tracker is off, and was never on: a phone
    /// must be started first.
    package func makeTracker(of user: String, account: Int, on database: isolated Connection) throws -> Bool {
        try !database.query(
            """
            INSERT INTO trackers (account, user_id, sink)
            VALUES (\(account)::integer, \(user),
                    (SELECT id FROM sinks WHERE account = \(account)::integer AND is_default))
            ON CONFLICT (account, user_id) DO NOTHING
            RETURNING id
            """
        ).isEmpty
    }

    /// Stores fixes of one user from a file that a person imports on purpose: so it does not matter if the tracker is
    /// or was on. Run it in a transaction.
    ///
    /// The rows are the same as those that `record_fixes` makes of these fixes. Here the rule runs in Swift and the
    /// rows are written by COPY, which is several times as fast. Each fix must have passed
    /// ``TrackingRule/problem(of:now:)`` and have an id.
    package func recordHistory(
        _ fixes: [Fix], of user: String, account: Int, on database: isolated Connection
    ) throws -> HistoryCounts {
        guard let tracker = try HistoryTracker(locking: user, account: account, on: database) else {
            throw NoTracker()
        }
        var merge = HistoryMerge(fixes, into: tracker)
        try merge.run(on: database)
        try merge.changes.write(account: account, on: database)
        return merge.changes.counts
    }

    /// The user no longer has a tracker, because it was erased.
    struct NoTracker: Error, CustomStringConvertible {
        package let description = "the user's tracker was erased meanwhile; nothing more is stored"
    }
}

/// The place of a fix among all fixes of its tracker.
struct FixKey: Hashable {
    let timestamp: Double
    let id: String

    init(_ fix: Fix) { (timestamp, id) = (fix.timestamp, fix.id) }

    init(timestamp: Double, id: String) { (self.timestamp, self.id) = (timestamp, id) }

    static func <= (one: Self, other: Self) -> Bool {
        one.timestamp == other.timestamp
            ? !other.id.utf8.lexicographicallyPrecedes(one.id.utf8) : one.timestamp < other.timestamp
    }
}

/// A tracker whose row is locked until the transaction ends, so that no other transaction writes positions of its user.
struct HistoryTracker {
    let id: Int
    let rule: TrackingRule
    let keepsDoubted: Bool
    let hasSink: Bool
    let newest: FixKey?
    /// The last fix at the current location, and the state of the walk at that fix. Later fixes are walked through
    /// again.
    let settled: FixKey?
    let walk: TrackWalk

    /// Returns nil if the user has no tracker.
    init?(locking user: String, account: Int, on database: isolated Connection) throws {
        let row = try database.query(
            """
            SELECT id, radius, top_speed, keeps_doubted, sink IS NOT NULL AS has_sink,
                   extract(epoch FROM newest_at) AS newest_at, newest_id,
                   extract(epoch FROM settled_at) AS settled_at, settled_id, longest_gap,
                   ARRAY (SELECT extract(epoch FROM stop)::double precision FROM unnest(stops) AS stop) AS stops,
                   extract(epoch FROM seen_at) AS seen_at, seen_lat, seen_lng, seen_accuracy, seen_wait,
                   extract(epoch FROM start_at) AS start_at, start_id, start_lat, start_lng, start_accuracy, wait_time
            FROM trackers
            WHERE account = \(account)::integer AND user_id = \(user)
            FOR UPDATE
            """
        ).first
        guard let row else { return nil }
        id = try row.read("id")
        rule = TrackingRule(
            radius: try row.read("radius"), topSpeed: try row.read("top_speed"),
            longestGap: try row.read("longest_gap"), stops: try row.read("stops"))
        keepsDoubted = try row.read("keeps_doubted")
        hasSink = try row.read("has_sink")
        newest = try row.readIfPresent("newest_at", as: Double.self).map {
            FixKey(timestamp: $0, id: try row.read("newest_id"))
        }
        settled = try row.readIfPresent("settled_at", as: Double.self).map {
            FixKey(timestamp: $0, id: try row.read("settled_id"))
        }
        let last = try row.readIfPresent("seen_at", as: Double.self).map {
            Fix(
                lat: try row.read("seen_lat"), lng: try row.read("seen_lng"),
                accuracy: try row.readIfPresent("seen_accuracy"), timestamp: $0, waitTime: try row.read("seen_wait"))
        }
        let start = try row.readIfPresent("start_at", as: Double.self).map {
            Fix(
                id: try row.read("start_id"), lat: try row.read("start_lat"), lng: try row.read("start_lng"),
                accuracy: try row.readIfPresent("start_accuracy"), timestamp: $0)
        }
        walk = TrackWalk(rule: rule, start: start, waitTime: try row.readIfPresent("wait_time") ?? 0, last: last)
    }
}
