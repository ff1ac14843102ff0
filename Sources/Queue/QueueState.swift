package import Postgres

/// One lane at a glance.
package struct LaneState: Sendable {
    package let lane: String
    package let batch: Int
    /// Jobs that may be claimed now.
    package let ready: Int
    /// Jobs that wait for their time to come.
    package let later: Int
    package let held: Int
    package let calls: Int
    package let retries: Int
}

extension JobQueue {
    /// How each lane stands.
    package func lanes(on database: isolated Connection) throws -> [LaneState] {
        try database.query(
            """
            SELECT lanes.name, lanes.batch, waiting.ready, waiting.later, waiting.held,
                   done.calls, done.retries
            FROM lanes,
            LATERAL (
                SELECT count(*) FILTER (WHERE worker IS NULL AND run_at <= now()) AS ready,
                       count(*) FILTER (WHERE worker IS NULL AND run_at > now()) AS later,
                       count(*) FILTER (WHERE worker IS NOT NULL) AS held
                FROM jobs
                WHERE lane = lanes.id
            ) AS waiting,
            LATERAL (
                SELECT coalesce(sum(calls), 0) AS calls,
                       coalesce(sum(retries), 0) AS retries
                FROM throughput
                WHERE lane = lanes.id
            ) AS done
            ORDER BY lanes.id
            """
        ).map {
            try LaneState(
                lane: $0.read("name"), batch: $0.read("batch"), ready: $0.read("ready"), later: $0.read("later"),
                held: $0.read("held"), calls: $0.read("calls"), retries: $0.read("retries"))
        }
    }
}
