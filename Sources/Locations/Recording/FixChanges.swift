import Postgres
import Tracking

/// The changes that new fixes make in the rows of one tracker.
struct FixChanges {
    /// Fixes that are new, that have a longer wait time, or that become doubted or believed.
    var fixes: [(fix: Fix, isDoubted: Bool)] = []
    /// Stored fixes that are no longer kept.
    var refused: [FixKey] = []
    /// Locations that are new, that last longer or shorter, or that begin here again: each as its first fix.
    var locations: [(start: Fix, waitTime: Double)] = []
    /// Locations that no longer begin here.
    var gone: [FixKey] = []
    /// The new end of the walk through all fixes; nil if it ends as before.
    var end: (newest: FixKey, settled: SettledFix)?
}

/// Writes the changes of any number of trackers, with one statement for each kind of change. The statements are sent
/// with the next one.
struct FixChangesWriter {
    let account: Int
    let merges: [FixMerge]

    func write(on database: isolated Connection) throws {
        try writeFixes(on: database)
        try deleteRefused(on: database)
        try removeGone(on: database)
        try writeLocations(on: database)
        try writeEnds(on: database)
    }

    private func rows<Change>(_ changes: KeyPath<FixChanges, [Change]>) -> [(tracker: LockedTracker, Change)] {
        merges.flatMap { merge in merge.changes[keyPath: changes].map { (merge.tracker, $0) } }
    }

    private func writeFixes(on database: isolated Connection) throws {
        let rows = rows(\.fixes)
        guard !rows.isEmpty else { return }
        let fixes = rows.map(\.1.fix)
        try database.queryAhead(
            """
            INSERT INTO fixes (tracker, account, at, id, lat, lng, accuracy, wait_time, is_doubted)
            SELECT tracker, \(account)::integer, to_timestamp(time), id, lat, lng, accuracy, wait_time, is_doubted
            FROM unnest(
                \(rows.map(\.tracker.id))::integer[], \(fixes.map(\.timestamp)), \(fixes.map(\.id)),
                \(fixes.map(\.lat)), \(fixes.map(\.lng)), \(fixes.map(\.accuracy)), \(fixes.map(\.waitTime)),
                \(rows.map(\.1.isDoubted))
            ) AS given (tracker, time, id, lat, lng, accuracy, wait_time, is_doubted)
            ON CONFLICT (tracker, at, id) DO UPDATE
            SET wait_time = excluded.wait_time, is_doubted = excluded.is_doubted
            """)
    }

    private func deleteRefused(on database: isolated Connection) throws {
        let rows = rows(\.refused)
        guard !rows.isEmpty else { return }
        try database.queryAhead(
            """
            DELETE FROM fixes
            USING unnest(\(rows.map(\.tracker.id))::integer[], \(rows.map(\.1.timestamp)), \(rows.map(\.1.id)))
                AS refused (tracker, time, id)
            WHERE fixes.tracker = refused.tracker AND at = to_timestamp(time) AND fixes.id = refused.id
            """)
    }

    /// A sink may have these locations, and must delete them first.
    private func removeGone(on database: isolated Connection) throws {
        let rows = rows(\.gone)
        for hasSink in [true, false] {
            let gone = rows.filter { $0.tracker.hasSink == hasSink }
            if gone.isEmpty { continue }
            let change: SQL =
                hasSink
                ? """
                UPDATE pending_locations AS location
                SET removed = true, uploaded = false, refusal = NULL, changed_at = clock_timestamp()
                FROM
                """ : "DELETE FROM pending_locations AS location USING"
            try database.queryAhead(
                """
                \(part: change) unnest(
                    \(gone.map(\.tracker.id))::integer[], \(gone.map(\.1.timestamp)), \(gone.map(\.1.id))
                ) AS gone (tracker, time, id)
                WHERE location.tracker = gone.tracker AND at = to_timestamp(time) AND location.id = gone.id
                  AND NOT removed
                """)
        }
    }

    private func writeLocations(on database: isolated Connection) throws {
        let rows = rows(\.locations)
        guard !rows.isEmpty else { return }
        let starts = rows.map(\.1.start)
        try database.queryAhead(
            """
            INSERT INTO pending_locations AS location (tracker, account, at, id, lat, lng, accuracy, wait_time)
            SELECT tracker, \(account)::integer, to_timestamp(time), id, lat, lng, accuracy, wait_time
            FROM unnest(
                \(rows.map(\.tracker.id))::integer[], \(starts.map(\.timestamp)), \(starts.map(\.id)),
                \(starts.map(\.lat)), \(starts.map(\.lng)), \(starts.map(\.accuracy)), \(rows.map(\.1.waitTime))
            ) AS made (tracker, time, id, lat, lng, accuracy, wait_time)
            ON CONFLICT (tracker, at, id) DO UPDATE
            SET wait_time = excluded.wait_time, uploaded = false, removed = false, refusal = NULL,
                changed_at = clock_timestamp()
                WHERE location.wait_time <> excluded.wait_time OR location.removed
            """)
    }

    private func writeEnds(on database: isolated Connection) throws {
        let ends = merges.compactMap { merge in
            merge.changes.end.map { (id: merge.tracker.id, newest: $0.newest, settled: $0.settled) }
        }
        guard !ends.isEmpty else { return }
        try database.queryAhead(
            """
            UPDATE trackers
            SET newest_at = to_timestamp(newest_time), newest_id = moved.newest_id,
                settled_at = to_timestamp(settled_time), settled_id = moved.settled_id,
                seen_at = to_timestamp(seen_time), seen_lat = moved.seen_lat, seen_lng = moved.seen_lng,
                seen_accuracy = moved.seen_accuracy, seen_wait = moved.seen_wait,
                start_at = to_timestamp(start_time), start_id = moved.start_id, start_lat = moved.start_lat,
                start_lng = moved.start_lng, start_accuracy = moved.start_accuracy, wait_time = moved.wait_time
            FROM unnest(
                \(ends.map(\.id))::integer[], \(ends.map(\.newest.timestamp)), \(ends.map(\.newest.id)),
                \(ends.map(\.settled.key.timestamp)), \(ends.map(\.settled.key.id)),
                \(ends.map(\.settled.last.timestamp)), \(ends.map(\.settled.last.lat)), \(ends.map(\.settled.last.lng)),
                \(ends.map(\.settled.last.accuracy)), \(ends.map(\.settled.last.waitTime)),
                \(ends.map(\.settled.start.timestamp)), \(ends.map(\.settled.start.id)), \(ends.map(\.settled.start.lat)),
                \(ends.map(\.settled.start.lng)), \(ends.map(\.settled.start.accuracy)), \(ends.map(\.settled.waitTime))
            ) AS moved (
                tracker, newest_time, newest_id, settled_time, settled_id, seen_time, seen_lat, seen_lng, seen_accuracy,
                seen_wait, start_time, start_id, start_lat, start_lng, start_accuracy, wait_time)
            WHERE trackers.id = moved.tracker
            """)
    }
}
