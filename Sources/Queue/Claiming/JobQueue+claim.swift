package import Postgres

extension JobQueue {
    /// Claims up to `room` due jobs of a lane for `worker`: higher priority first, then older first, each with its
    /// slot.
    ///
    /// `lead` is how long recent claims have taken: an earlier slot would be void.
    ///
    /// `uncertainty` is the distance between the worker's two bounds of the database's clock. Slots stay open longer by
    /// that much. `isSteady` is true if the worker has used the same bound since its last claim.
    ///
    /// Returns no jobs if the database's clock is not as `expected`.
    ///
    /// The SQL function decides everything, so that workers can be written in other languages.
    package func claim(
        _ room: Int, from lane: String, for worker: WorkerID, hint: String? = nil, lead: Duration = .zero,
        uncertainty: Duration = .zero, isSteady: Bool = false, expecting expected: ExpectedClock? = nil,
        on database: isolated Connection
    ) throws -> Claim {
        try Claim(
            database.query(
                """
                SELECT job, lease, failures, subjects,
                       extract(epoch FROM CASE WHEN void_at IS NOT NULL THEN starts_at END) AS starts_at,
                       extract(epoch FROM void_at) AS void_at,
                       extract(epoch FROM due_at) AS due_at,
                       extract(epoch FROM told_at) AS told_at,
                       extract(epoch FROM call_limit) AS call_limit,
                       obstacle,
                       extract(epoch FROM look_at - told_at) AS look_in,
                       next_hint, trace, crowd
                FROM claim_jobs(
                    \(lane), \(worker)::integer, \(room)::integer, \(hint), \(lead)::interval, \(uncertainty)::interval,
                    \(isSteady), \(expected?.epoch)::integer, to_timestamp(\(expected?.earliest)::float8),
                    to_timestamp(\(expected?.latest)::float8))
                """))
    }

    /// Returns the database's clock, since 1970.
    package func clock(on database: isolated Connection) throws -> Duration {
        try database.query("SELECT extract(epoch FROM clock_timestamp()) AS shown")[0].read("shown")
    }

    /// Frees the jobs that `worker` holds in a lane without knowing it, because the reply to its claim was lost.
    /// `known` are the jobs in the worker's own list. No claim may be in progress. Returns how many jobs it freed.
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

/// The range in which the worker expects the database's clock to be when its claim arrives: moments in seconds since
/// 1970.
package struct ExpectedClock: Sendable {
    package let epoch: Int
    package let earliest: Double
    package let latest: Double

    package init(epoch: Int, earliest: Duration, latest: Duration) {
        self.epoch = epoch
        self.earliest = earliest / .seconds(1)
        self.latest = latest / .seconds(1)
    }
}
