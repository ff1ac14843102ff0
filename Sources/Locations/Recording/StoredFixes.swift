import Postgres
import Tracking

/// A stored fix, with the location that begins with it.
struct StoredFix {
    let fix: Fix
    let isDoubted: Bool
    /// The location's wait time; nil if no location begins here.
    let locationWait: Double?
}

/// A page of a user's stored fixes.
struct FixPage: Hashable {
    let user: String
    let key: FixKey
    /// True if `key` is a new fix: then the page begins where its walk does. That is the settled fix or the start of
    /// the current location; for a fix before the settled one, two locations before the location that contains it.
    let isForNew: Bool

    /// Most walks need no more than their first page. The pages after it are larger.
    var size: Int { isForNew ? 200 : 2_000 }
}

extension [FixPage] {
    /// Reads the fixes of these pages.
    ///
    /// Each location is looked up by its key: any other plan would read all locations of the tracker.
    func select(account: Int) -> SQL {
        """
        SELECT wanted.tracker, extract(epoch FROM fix.at) AS time, fix.id, lat, lng, accuracy, fix.wait_time, is_doubted,
               location.wait_time AS location_wait
        FROM (
            SELECT trackers.id AS tracker, size, is_late,
                   CASE WHEN is_late OR NOT is_for_new THEN given.at
                        WHEN seen_at = start_at THEN start_at
                        WHEN (settled_at, settled_id) < (newest_at, newest_id) THEN settled_at END AS at,
                   CASE WHEN is_late OR NOT is_for_new THEN given.id
                        WHEN seen_at = start_at THEN start_id ELSE settled_id END AS id
            FROM (
                SELECT user_id, to_timestamp(time) AS at, id COLLATE "C" AS id, is_for_new, size
                FROM unnest(\(map(\.user)), \(map(\.key.timestamp)), \(map(\.key.id)), \(map(\.isForNew)), \(map(\.size)))
                    AS given (user_id, time, id, is_for_new, size)
            ) AS given
            JOIN trackers ON account = \(account)::integer AND trackers.user_id = given.user_id
            CROSS JOIN LATERAL (
                SELECT is_for_new AND (given.at, given.id) <= (settled_at, settled_id) AS is_late
            ) AS late
        ) AS wanted
        LEFT JOIN LATERAL (
            SELECT at, id
            FROM (
                SELECT at, id
                FROM pending_locations
                WHERE tracker = wanted.tracker AND NOT removed AND at <= wanted.at AND (at, id) <= (wanted.at, wanted.id)
                ORDER BY at DESC, id DESC
                LIMIT 3
            ) AS last_three
            ORDER BY at, id
            LIMIT 1
        ) AS beginning ON is_late
        CROSS JOIN LATERAL (
            SELECT at, id, lat, lng, accuracy, wait_time, is_doubted
            FROM fixes
            WHERE tracker = wanted.tracker AND at >= coalesce(beginning.at, wanted.at)
              AND (at, id) >= (coalesce(beginning.at, wanted.at), coalesce(beginning.id, wanted.id))
            ORDER BY at, id
            LIMIT size
        ) AS fix
        LEFT JOIN LATERAL (
            SELECT wait_time
            FROM pending_locations
            WHERE tracker = wanted.tracker AND at = fix.at AND id = fix.id AND NOT removed
            LIMIT 1
        ) AS location ON true
        ORDER BY wanted.tracker, fix.at, fix.id
        """
    }
}

extension Rows {
    /// The stored fixes by the ids of their trackers, in their order.
    func storedFixes() throws -> [Int: [StoredFix]] {
        var found: [Int: [StoredFix]] = [:]
        for row in self {
            let tracker: Int = try row.read("tracker")
            let time: Double = try row.read("time")
            let fix = Fix(
                id: try row.read("id"), lat: try row.read("lat"), lng: try row.read("lng"),
                accuracy: try row.readIfPresent("accuracy"), timestamp: time, waitTime: try row.read("wait_time"))
            found[tracker, default: []].append(
                StoredFix(
                    fix: fix, isDoubted: try row.read("is_doubted"),
                    locationWait: try row.readIfPresent("location_wait")))
        }
        return found
    }
}
