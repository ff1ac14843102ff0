import Postgres
import Tracking

/// The changes that a part of a history makes in the rows of one tracker.
struct HistoryChanges {
    let tracker: Int
    let hasSink: Bool
    var counts = HistoryCounts()
    /// New fixes, and if they are doubted.
    var added: [(fix: Fix, isDoubted: Bool)] = []
    /// Stored fixes that have a longer wait time now.
    var grown: [Fix] = []
    /// Stored fixes that become doubted, or believed.
    var turned: [(key: FixKey, isDoubted: Bool)] = []
    /// Fixes that are no longer kept.
    var refused: [FixKey] = []
    /// Locations that are new, that last longer or shorter, or that begin here again: each as its first fix.
    var locations: [(start: Fix, waitTime: Double)] = []
    /// Locations that no longer begin here.
    var gone: [FixKey] = []
    /// The new end of the walk through all fixes; nil if it ends as before.
    var end: (newest: FixKey, settled: FixKey, walk: TrackWalk)?

    /// True if no row changes.
    var isEmpty: Bool {
        added.isEmpty && grown.isEmpty && turned.isEmpty && refused.isEmpty && locations.isEmpty && gone.isEmpty
    }

    func write(account: Int, on database: isolated Connection) throws {
        try writeFixes(account: account, on: database)
        try writeLocations(account: account, on: database)
        try writeEnd(on: database)
        if hasSink, !isEmpty { try database.query("SELECT queue_uploads(ARRAY[\(tracker)::integer])") }
    }

    /// Writes fixes by COPY. COPY refuses a table whose row-level security applies to this session, which is the case
    /// for an owner without the roles (sql/owner.sql). Then the rows are copied into a temporary table first.
    private func copyFixes(account: Int, on database: isolated Connection) throws {
        func append(_ rows: inout CopyWriter) throws {
            for (fix, isDoubted) in added {
                try rows.append(
                    tracker, account, CopyMoment(seconds: fix.timestamp), fix.id, fix.lat, fix.lng, fix.accuracy,
                    fix.waitTime, isDoubted)
            }
        }
        guard try database.query("SELECT row_security_active('fixes') AS is_active")[0].read("is_active") else {
            try database.copy(
                into: "fixes (tracker, account, at, id, lat, lng, accuracy, wait_time, is_doubted)", append)
            return
        }
        try database.query("CREATE TEMPORARY TABLE IF NOT EXISTS copied_fixes (LIKE fixes) ON COMMIT DELETE ROWS")
        try database.copy(
            into: "copied_fixes (tracker, account, at, id, lat, lng, accuracy, wait_time, is_doubted)", append)
        try database.query(
            """
            WITH copied AS (DELETE FROM copied_fixes RETURNING *)
            INSERT INTO fixes (tracker, account, at, id, lat, lng, accuracy, wait_time, is_doubted)
            SELECT tracker, account, at, id, lat, lng, accuracy, wait_time, is_doubted FROM copied
            """)
    }

    private func writeFixes(account: Int, on database: isolated Connection) throws {
        if !added.isEmpty { try copyFixes(account: account, on: database) }
        if !grown.isEmpty {
            try database.query(
                """
                UPDATE fixes
                SET wait_time = grown.wait_time
                FROM unnest(\(grown.map(\.timestamp)), \(grown.map(\.id)), \(grown.map(\.waitTime)))
                    AS grown (time, id, wait_time)
                WHERE tracker = \(tracker)::integer AND at = to_timestamp(grown.time) AND fixes.id = grown.id
                """)
        }
        if !turned.isEmpty {
            try database.query(
                """
                UPDATE fixes
                SET is_doubted = turned.is_doubted
                FROM unnest(\(turned.map(\.key.timestamp)), \(turned.map(\.key.id)), \(turned.map(\.isDoubted)))
                    AS turned (time, id, is_doubted)
                WHERE tracker = \(tracker)::integer AND at = to_timestamp(turned.time) AND fixes.id = turned.id
                """)
        }
        if !refused.isEmpty {
            try database.query(
                """
                DELETE FROM fixes
                USING unnest(\(refused.map(\.timestamp)), \(refused.map(\.id))) AS refused (time, id)
                WHERE tracker = \(tracker)::integer AND at = to_timestamp(refused.time) AND fixes.id = refused.id
                """)
        }
    }

    /// Uses the same statements as `record_fixes`.
    private func writeLocations(account: Int, on database: isolated Connection) throws {
        if !gone.isEmpty {
            // A sink may have these locations, and must delete them.
            try database.query(
                """
                WITH marked AS (
                    UPDATE pending_locations AS location
                    SET removed = true, uploaded = false, refusal = NULL, changed_at = clock_timestamp()
                    FROM unnest(\(gone.map(\.timestamp)), \(gone.map(\.id))) AS gone (time, id)
                    WHERE \(hasSink)::boolean AND tracker = \(tracker)::integer AND at = to_timestamp(gone.time)
                      AND location.id = gone.id AND NOT removed
                )
                DELETE FROM pending_locations AS location
                USING unnest(\(gone.map(\.timestamp)), \(gone.map(\.id))) AS gone (time, id)
                WHERE NOT \(hasSink)::boolean AND tracker = \(tracker)::integer AND at = to_timestamp(gone.time)
                  AND location.id = gone.id AND NOT removed
                """)
        }
        if !locations.isEmpty {
            let starts = locations.map(\.start)
            try database.query(
                """
                INSERT INTO pending_locations AS location (tracker, account, at, id, lat, lng, accuracy, wait_time)
                SELECT \(tracker)::integer, \(account)::integer, to_timestamp(time), id, lat, lng, accuracy, wait
                FROM unnest(
                    \(starts.map(\.timestamp)), \(starts.map(\.id)), \(starts.map(\.lat)), \(starts.map(\.lng)),
                    \(starts.map(\.accuracy)), \(locations.map(\.waitTime))
                ) AS made (time, id, lat, lng, accuracy, wait)
                ON CONFLICT (tracker, at, id) DO UPDATE
                SET wait_time = excluded.wait_time, uploaded = false, removed = false, refusal = NULL,
                    changed_at = clock_timestamp()
                    WHERE location.wait_time <> excluded.wait_time OR location.removed
                """)
        }
    }

    private func writeEnd(on database: isolated Connection) throws {
        guard let end, let start = end.walk.start, let last = end.walk.last else { return }
        try database.query(
            """
            UPDATE trackers
            SET newest_at = to_timestamp(\(end.newest.timestamp)::double precision), newest_id = \(end.newest.id),
                settled_at = to_timestamp(\(end.settled.timestamp)::double precision), settled_id = \(end.settled.id),
                seen_at = to_timestamp(\(last.timestamp)::double precision), seen_lat = \(last.lat),
                seen_lng = \(last.lng), seen_accuracy = \(last.accuracy), seen_wait = \(last.waitTime),
                start_at = to_timestamp(\(start.timestamp)::double precision), start_id = \(start.id),
                start_lat = \(start.lat), start_lng = \(start.lng), start_accuracy = \(start.accuracy),
                wait_time = \(end.walk.waitTime)
            WHERE id = \(tracker)::integer
            """)
    }
}

/// A moment in the format of COPY, to the millisecond.
private struct CopyMoment: CopyValue {
    let seconds: Double

    func writeCopy(to bytes: inout [UInt8]) { Timestamp.write(seconds, to: &bytes) }
}
