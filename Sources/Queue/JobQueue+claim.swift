package import Postgres

extension JobQueue {
    /// Takes up to `limit` due jobs from a lane for `worker`: higher priority first, then older first.
    ///
    /// `SKIP LOCKED` lets any number of workers claim at once without waiting for each other. The
    /// sub-select sits in an ARRAY because the planner takes `LIMIT $1` for a tenth of the table and
    /// would join by reading all of it; an array of row addresses leaves it no choice.
    ///
    /// A worker that was struck off gets nothing: it finds out with its next heartbeat.
    package func claim(
        _ limit: Int, from lane: String, for worker: WorkerID, on database: isolated Connection
    ) throws -> [Job] {
        try database.query(
            """
            UPDATE jobs
            SET worker = \(worker),
                lease = nextval('leases')
            WHERE ctid = ANY (ARRAY (
                SELECT ctid
                FROM jobs
                WHERE lane = (SELECT id FROM lanes WHERE name = \(lane))
                  AND worker IS NULL
                  AND run_at <= now()
                  AND EXISTS (SELECT FROM workers WHERE id = \(worker))
                ORDER BY priority DESC, run_at, id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            ))
            RETURNING id, lease, \(lane)::text AS lane, failures, subjects
            """
        ).map(Job.init)
    }
}
