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
                       next_hint, trace
                FROM claim_jobs(
                    \(lane), \(worker)::integer, \(room)::integer, \(hint), \(lead)::interval, \(uncertainty)::interval,
                    \(isSteady), \(expected?.epoch)::integer, to_timestamp(\(expected?.earliest)::float8),
                    to_timestamp(\(expected?.latest)::float8))
                """))
    }

    /// What the database's clock shows, since 1970.
    package func clock(on database: isolated Connection) throws -> Duration {
        try database.query("SELECT extract(epoch FROM clock_timestamp()) AS shown")[0].read("shown")
    }

    /// What the database's clock shows, since 1970, and its epoch.
    package func clockReading(on database: isolated Connection) throws -> ClockReading {
        let row = try database.query("SELECT extract(epoch FROM clock_timestamp()) AS shown, epoch FROM server_clock")[
            0]
        return ClockReading(shown: try row.read("shown"), epoch: try row.read("epoch"))
    }

    /// Moves every stored moment by `step`, because the database's clock was set by that much after `epoch`. Returns
    /// false if another process did it first. Run it in a transaction.
    package func shiftClock(by step: Duration, after epoch: Int, on database: isolated Connection) throws -> Bool {
        try database.query("SELECT shift_clock(\(epoch)::integer, \(step)::interval) AS is_first")[0].read("is_first")
    }

    /// The changes of the database's clock during the last `time`, by the clock of then.
    package func clockSteps(last time: Duration, on database: isolated Connection) throws -> [ClockStep] {
        try database.query(
            """
            SELECT extract(epoch FROM noticed_at) AS noticed_at, extract(epoch FROM size) AS size,
                   extract(epoch FROM clock_timestamp() - noticed_at) AS age
            FROM clock_steps
            WHERE noticed_at > now() - \(time)::interval AND size <> '0'
            ORDER BY clock_steps.epoch
            """
        ).map { try ClockStep(noticedAt: $0.read("noticed_at"), size: $0.read("size"), age: $0.read("age")) }
    }

    /// Frees the jobs that `worker` holds in a lane without knowing it, because the answer to its claim was lost.
    /// `known` are the jobs that it knows of; no claim may be under way. Returns how many it freed.
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

/// What the database's clock showed, since 1970. An epoch ends when it is set, or when a server with another takes
/// over.
package struct ClockReading: Sendable {
    package let shown: Duration
    package let epoch: Int
}

/// What the worker expects the database's clock to show when its claim arrives: moments in seconds since 1970.
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

/// A change of the database's clock, forwards or back.
package struct ClockStep: Sendable, Hashable {
    package let noticedAt: Duration
    package let size: Duration
    package let age: Duration
}
