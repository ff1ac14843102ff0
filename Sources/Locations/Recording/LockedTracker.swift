import Postgres
import Tracking

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

/// The state from which the walk continues for a fix after ``key``.
struct SettledFix {
    /// No later fix changes where the current location begins.
    let key: FixKey
    /// The start of the current location.
    let start: Fix
    /// The wait time and the last believed fix at `key`. If that fix is elsewhere: those at the start.
    let waitTime: Double
    let last: Fix

    /// True if the walk continues from the start of the current location.
    var isAtStart: Bool { start.timestamp == last.timestamp }
}

/// A tracker whose row is locked until the transaction ends, so that no other transaction writes positions of its user.
struct LockedTracker {
    let id: Int
    let user: String
    let isOn: Bool
    /// The periods in which it was on: each from a moment until a moment (exclusive).
    private let onTimes: [(from: Double, until: Double)]
    let rule: TrackingRule
    let keepsDoubted: Bool
    let hasSink: Bool
    /// Its sink is to have a job if there are locations to upload.
    let lacksJob: Bool
    let newest: FixKey?
    let settled: SettledFix?

    func wasOn(at moment: Double) -> Bool { onTimes.contains { $0.from <= moment && moment < $0.until } }

    /// Locks trackers in the order of their ids, so that no deadlock can occur.
    static func lock(_ users: [String], account: Int) -> SQL {
        """
        SELECT id, user_id, is_on,
               ARRAY (SELECT coalesce(extract(epoch FROM lower(period)), '-infinity')::double precision
                      FROM unnest(on_times) AS period) AS on_from,
               ARRAY (SELECT coalesce(extract(epoch FROM upper(period)), 'infinity')::double precision
                      FROM unnest(on_times) AS period) AS on_until,
               radius, top_speed, longest_gap,
               ARRAY (SELECT extract(epoch FROM stop)::double precision FROM unnest(stops) AS stop) AS stops,
               keeps_doubted, sink IS NOT NULL AS has_sink, sink IS NOT NULL AND job IS NULL AND is_on AS lacks_job,
               extract(epoch FROM newest_at) AS newest_at, newest_id,
               extract(epoch FROM settled_at) AS settled_at, settled_id,
               extract(epoch FROM seen_at) AS seen_at, seen_lat, seen_lng, seen_accuracy, seen_wait,
               extract(epoch FROM start_at) AS start_at, start_id, start_lat, start_lng, start_accuracy, wait_time
        FROM trackers
        WHERE account = \(account)::integer AND user_id = ANY (\(users))
        ORDER BY id
        FOR UPDATE
        """
    }

    init(_ row: Row) throws {
        id = try row.read("id")
        user = try row.read("user_id")
        isOn = try row.read("is_on")
        let starts: [Double] = try row.read("on_from")
        onTimes = Array(zip(starts, try row.read("on_until", as: [Double].self)))
        rule = TrackingRule(
            radius: try row.read("radius"), topSpeed: try row.read("top_speed"),
            longestGap: try row.read("longest_gap"), stops: try row.read("stops"))
        keepsDoubted = try row.read("keeps_doubted")
        hasSink = try row.read("has_sink")
        lacksJob = try row.read("lacks_job")
        newest = try row.readIfPresent("newest_at", as: Double.self).map {
            FixKey(timestamp: $0, id: try row.read("newest_id"))
        }
        settled = try row.readIfPresent("settled_at", as: Double.self).map { settledAt in
            let last = Fix(
                timestamp: try row.read("seen_at"), lat: try row.read("seen_lat"), lng: try row.read("seen_lng"),
                accuracy: try row.readIfPresent("seen_accuracy"), waitTime: try row.read("seen_wait"))
            let start = Fix(
                timestamp: try row.read("start_at"), id: try row.read("start_id"), lat: try row.read("start_lat"),
                lng: try row.read("start_lng"), accuracy: try row.readIfPresent("start_accuracy"))
            return SettledFix(
                key: FixKey(timestamp: settledAt, id: try row.read("settled_id")), start: start,
                waitTime: try row.read("wait_time"), last: last)
        }
    }
}

extension Fix {
    /// Takes its arguments in the order of the columns, in which reading is fastest.
    fileprivate init(
        timestamp: Double, id: String = "", lat: Double, lng: Double, accuracy: Double?, waitTime: Double = 0
    ) {
        self.init(id: id, lat: lat, lng: lng, accuracy: accuracy, timestamp: timestamp, waitTime: waitTime)
    }
}
