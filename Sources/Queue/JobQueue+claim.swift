package import Postgres

extension JobQueue {
    /// Takes up to `room` due jobs from a lane for `worker`: higher priority first, then older first, each with the
    /// slot in which it may be carried out.
    ///
    /// `lead` is how long claims have taken lately: slots that come sooner would be void.
    ///
    /// `uncertainty` is how far apart the bounds are between which the worker knows the database's clock to be: so much
    /// longer its slots are open. `isSteady` says that it has reckoned by the same bound since its last claim.
    ///
    /// All the thinking is in the SQL function, so that workers in other languages may join.
    package func claim(
        _ room: Int, from lane: String, for worker: WorkerID, hint: String? = nil, lead: Duration = .zero,
        uncertainty: Duration = .zero, isSteady: Bool = false, on database: isolated Connection
    ) throws -> Claim {
        try Claim(
            database.query(
                """
                SELECT job, lease, failures, subjects,
                       extract(epoch FROM CASE WHEN void_at IS NOT NULL THEN starts_at END) AS starts_at,
                       extract(epoch FROM void_at) AS void_at,
                       extract(epoch FROM told_at) AS told_at,
                       extract(epoch FROM call_limit) AS call_limit,
                       obstacle,
                       extract(epoch FROM look_at - told_at) AS look_in,
                       next_hint
                FROM claim_jobs(
                    \(lane), \(worker)::integer, \(room)::integer, \(hint), \(lead)::interval, \(uncertainty)::interval,
                    \(isSteady))
                """))
    }

    /// What the database's clock shows, since 1970.
    package func clock(on database: isolated Connection) throws -> Duration {
        try database.query("SELECT extract(epoch FROM clock_timestamp()) AS shown")[0].read("shown")
    }

    /// Frees what `worker` holds in a lane and does not know of: the jobs of a claim whose answer never came. `known`
    /// are those that it does know of, and no claim may be under way. Returns how many came free.
    package func releaseStrays(
        in lane: String, of worker: WorkerID, knowing known: [Job.ID], on database: isolated Connection
    ) throws -> Int {
        try database.query(
            """
            UPDATE jobs
            SET worker = NULL, lease = NULL, starts_at = NULL
            WHERE lane = (SELECT id FROM lanes WHERE name = \(lane)) AND worker = \(worker) AND id <> ALL (\(known))
            """
        ).affected
    }
}
