package import Postgres

extension JobQueue {
    /// Makes the partitions of the next days' calls, and drops those older than `retention`. Returns their names.
    ///
    /// Call it in a transaction. It gives up instead of making writers wait behind it, and throws an error that is
    /// worth retrying. A later attempt is soon enough, because partitions are made days ahead.
    package func maintainCallPartitions(
        ahead: Int = 2, retention: Duration, on database: isolated Connection
    ) throws -> CallPartitions {
        try database.query("SET LOCAL lock_timeout = '100ms'")
        var partitions = CallPartitions()
        let rows = try database.query(
            "SELECT partition, happened FROM keep_call_partitions(\(ahead)::integer, \(retention)::interval)")
        for row in rows {
            let name: String = try row.read("partition")
            if try row.read("happened") == "made" {
                partitions.made.append(name)
            } else {
                partitions.dropped.append(name)
            }
        }
        return partitions
    }

    /// Merges up to `limit` rows of throughput into rows for worker 0. After two hours the worker no longer matters:
    /// the row of a minute belongs to worker 0. After a day the minute no longer matters: the row of an hour belongs to
    /// worker 0. Returns how many rows it merged.
    ///
    /// No process writes to such old minutes, and one statement deletes a row and adds it to the sum, so sums stay
    /// exact.
    package func rollUpThroughput(_ limit: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            WITH taken AS (
                DELETE FROM throughput
                WHERE ctid = ANY (ARRAY(
                    SELECT ctid
                    FROM throughput
                    WHERE worker <> 0 AND minute < date_trunc('minute', now()) - interval '2 hours'
                       OR minute < date_trunc('hour', now() - interval '1 day', 'UTC')
                          AND minute <> date_trunc('hour', minute, 'UTC')
                    ORDER BY minute
                    LIMIT \(limit)
                    FOR UPDATE SKIP LOCKED))
                RETURNING *, minute < date_trunc('hour', now() - interval '1 day', 'UTC') AS is_of_an_hour
            ), added AS (
                INSERT INTO throughput AS t (
                    minute, lane, worker, calls, subjects, retries, retried, limited, failed, lost, voided, late, slipped)
                SELECT CASE WHEN is_of_an_hour THEN date_trunc('hour', minute, 'UTC') ELSE minute END, lane, 0,
                       sum(calls), sum(subjects), sum(retries), sum(retried), sum(limited), sum(failed), sum(lost),
                       sum(voided), sum(late), sum(slipped)
                FROM taken
                GROUP BY 1, 2
                ON CONFLICT (minute, lane, worker) DO UPDATE
                SET calls = t.calls + excluded.calls,
                    subjects = t.subjects + excluded.subjects,
                    retries = t.retries + excluded.retries,
                    retried = t.retried + excluded.retried,
                    limited = t.limited + excluded.limited,
                    failed = t.failed + excluded.failed,
                    lost = t.lost + excluded.lost,
                    voided = t.voided + excluded.voided,
                    late = t.late + excluded.late,
                    slipped = t.slipped + excluded.slipped
            )
            SELECT count(*) AS count FROM taken
            """)[0].read("count")
    }

    /// Counts the lanes with backlogs too large to count on each request. Returns how many lanes it counted.
    package func noteBacklogs(on database: isolated Connection) throws -> Int {
        try database.query("SELECT note_backlogs() AS count")[0].read("count")
    }
}

/// The partitions of `calls` that were made and dropped.
package struct CallPartitions: Sendable, Equatable {
    package var made: [String] = []
    package var dropped: [String] = []
}
