package import Postgres

/// A call as the log contains it.
package struct LoggedCall: Hashable, Sendable {
    /// When it was sent, since 1970.
    package let at: Duration
    package let took: Duration?
    package let subjects: Int
    package let outcome: CallOutcome

    package init(at: Duration, took: Duration?, subjects: Int, outcome: CallOutcome) {
        self.at = at
        self.took = took
        self.subjects = subjects
        self.outcome = outcome
    }
}

extension JobQueue {
    /// Returns the latest calls of each lane, up to `most`, by the names of lanes. The counters show which minutes to
    /// read.
    package func latestCalls(_ most: Int, on database: isolated Connection) throws -> [String: [LoggedCall]] {
        let rows = try database.query(
            """
            WITH minutes AS (
                SELECT lane, minute,
                       coalesce(sum(sum(calls)) OVER (
                           PARTITION BY lane ORDER BY minute DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
                       ) AS later
                FROM throughput
                GROUP BY lane, minute
            ), stretches AS (
                SELECT lane, min(minute) AS first, max(minute) AS last
                FROM minutes
                WHERE later < \(most)
                GROUP BY lane
            )
            SELECT lanes.name AS lane, extract(epoch FROM latest.started_at) AS at, took, subjects, outcome
            FROM stretches
            JOIN lanes ON lanes.id = stretches.lane
            CROSS JOIN LATERAL (
                SELECT started_at, took, subjects, outcome
                FROM calls
                -- Old minutes are merged into one row at the start of their hour, so `last` may stand for an hour.
                WHERE calls.lane = stretches.lane
                  AND started_at >= first - interval '1 minute' AND started_at < last + interval '1 hour'
                ORDER BY started_at DESC
                LIMIT \(most)
            ) AS latest
            """)
        return try Dictionary(grouping: rows) { try $0.read("lane", as: String.self) }.mapValues {
            try $0.map {
                LoggedCall(
                    at: try $0.read("at"), took: try $0.readIfPresent("took"), subjects: try $0.read("subjects"),
                    outcome: try CallOutcome($0))
            }
        }
    }
}
