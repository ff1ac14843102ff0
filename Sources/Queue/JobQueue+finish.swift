package import Postgres

extension JobQueue {
    /// Ends jobs that were carried out, and counts their calls. Returns those that were still held.
    ///
    /// Each is named with its lease. One that went to somebody else meanwhile stays as it is, and its
    /// caller must not store what it found: run this first in the transaction that stores results.
    package func finish(_ jobs: [Job], by worker: WorkerID, on database: isolated Connection) throws -> Set<Job.ID> {
        guard !jobs.isEmpty else { return [] }
        return try Set(
            database.query(
                """
                WITH ended AS (
                    DELETE FROM jobs
                    USING unnest(\(jobs.map(\.id)), \(jobs.map(\.lease))) AS mine (id, lease)
                    WHERE jobs.id = mine.id AND jobs.lease = mine.lease
                    RETURNING jobs.id, jobs.lane, cardinality(jobs.subjects) AS subjects
                ), counted AS (
                    INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, retries)
                    SELECT date_trunc('minute', now()), lane, \(worker), count(*), sum(subjects), 0
                    FROM ended
                    GROUP BY lane
                    ON CONFLICT (minute, lane, worker) DO UPDATE
                    SET calls = t.calls + excluded.calls, subjects = t.subjects + excluded.subjects
                )
                SELECT id FROM ended
                """
            ).map { try $0.read("id") })
    }

    /// Puts a job whose call failed back into its lane for a later try. False if it was no longer held.
    ///
    /// The wait doubles with each failure and is of random length, so that a thousand jobs that
    /// failed together don't come back together.
    package func retry(
        _ job: Job, after atLeast: Duration = .zero, by worker: WorkerID, on database: isolated Connection
    ) throws -> Bool {
        try !database.query(
            """
            WITH put_back AS (
                UPDATE jobs
                SET worker = NULL,
                    lease = NULL,
                    failures = failures + 1,
                    run_at = now() + greatest(
                        \(atLeast)::interval,
                        random() * least(
                            \(options.longestRetryDelay)::interval,
                            \(options.firstRetryDelay)::interval * power(2, failures)))
                WHERE id = \(job.id) AND lease = \(job.lease)
                RETURNING lane
            ), counted AS (
                INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, retries)
                SELECT date_trunc('minute', now()), lane, \(worker), 1, 0, 1
                FROM put_back
                ON CONFLICT (minute, lane, worker) DO UPDATE
                SET calls = t.calls + 1, retries = t.retries + 1
            )
            SELECT lane FROM put_back
            """
        ).isEmpty
    }

    /// Whether one more failure ends the job.
    package func isLastTry(_ job: Job) -> Bool {
        job.failures + 1 >= options.mostFailures
    }

    func announce(_ lane: String, on database: isolated Connection) throws {
        try database.query("SELECT pg_notify(\(Self.channel), \(lane))")
    }
}
