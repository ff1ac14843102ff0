package import Postgres

/// The tables `workers` and `coordinators`, which contain the living processes.
package struct ProcessRegistry: Sendable {
    /// A process without a heartbeat for this long has lost its jobs.
    package let silenceLimit: Duration
    package static let usualSilenceLimit: Duration = .seconds(10)

    /// A job of one subject is dead after this many workers vanished with it: the job may be what kills them.
    let mostLosses = 10

    package init(silenceLimit: Duration = Self.usualSilenceLimit) {
        self.silenceLimit = silenceLimit
    }

    /// The time between the heartbeats of a process.
    package var heartbeat: Duration { silenceLimit / 4 }

    /// How long a process that ends may take to unregister. A worker with many jobs returns them all.
    package var farewellLimit: Duration { min(heartbeat, .seconds(5)) }

    /// Registers a process. A worker that starts again is another worker, with a new id.
    package func register(
        _ role: ProcessRole, name: String, host: String, pid: Int, lanes: [String] = [],
        on database: isolated Connection
    ) throws -> Int {
        let row =
            switch role {
            case .worker:
                try database.query(
                    """
                    INSERT INTO workers (name, host, pid, lanes)
                    VALUES (\(name), \(host), \(pid), \(lanes))
                    RETURNING id
                    """)
            case .coordinator:
                try database.query(
                    "INSERT INTO coordinators (name, host, pid) VALUES (\(name), \(host), \(pid)) RETURNING id")
            }
        return try row[0].read("id")
    }

    /// Sends a heartbeat, with the memory of a worker in bytes. Returns false if the process was removed meanwhile:
    /// then other workers get its jobs.
    package func beat(
        _ role: ProcessRole, _ id: Int, memory: Int? = nil, on database: isolated Connection
    ) throws -> Bool {
        switch role {
        case .worker:
            try database.query("UPDATE workers SET seen_at = now(), memory = \(memory) WHERE id = \(id)").affected == 1
        case .coordinator:
            // In such a gap other processes may have missed two heartbeats because the database was away.
            try database.query(
                """
                UPDATE coordinators
                SET heard_since = CASE WHEN seen_at < now() - \(heartbeat)::interval * 2 THEN now() ELSE heard_since END,
                    seen_at = now()
                WHERE id = \(id)
                """
            ).affected == 1
        }
    }

    /// Stores the lanes from which a worker takes jobs.
    package func serve(_ lanes: [String], as worker: WorkerID, on database: isolated Connection) throws {
        try database.query("UPDATE workers SET lanes = \(lanes) WHERE id = \(worker)::integer")
    }

    /// Removes the process. The jobs that it held are ready again at once.
    @discardableResult
    package func leave(_ role: ProcessRole, _ id: Int, on database: isolated Connection) throws -> Rescue {
        switch role {
        case .worker:
            try database.query("DELETE FROM workers WHERE id = \(id)")
            return try freeOrphans(ofTheDead: [id], on: database)
        case .coordinator:
            try database.query("DELETE FROM coordinators WHERE id = \(id)")
            return Rescue()
        }
    }

    /// Removes the worker or coordinator that ran as this process. For a parent that saw its child die and need not
    /// wait for the silence limit.
    @discardableResult
    package func bury(host: String, pid: Int, on database: isolated Connection) throws -> Rescue {
        let buried: [Int] = try database.query(
            "DELETE FROM workers WHERE host = \(host) AND pid = \(pid) RETURNING id"
        ).map { try $0.read("id") }
        try database.query("DELETE FROM coordinators WHERE host = \(host) AND pid = \(pid)")
        return try freeOrphans(ofTheDead: buried, on: database)
    }

    /// Removes every silent process, and frees the jobs of workers that are not registered.
    ///
    /// `witness` is the coordinator that judges. Silence counts only from the time since which the witness itself has
    /// had heartbeats without a gap. While the database was away no heartbeat could arrive, and each process gets time
    /// to send one again. A witness that missed two heartbeats ignores everything before.
    @discardableResult
    package func rescue(by witness: Int? = nil, on database: isolated Connection) throws -> Rescue {
        let removed = try database.query(
            """
            WITH witness AS (
                SELECT coalesce(
                    CASE WHEN \(witness)::integer IS NULL THEN '-infinity'::timestamptz END,
                    (
                        SELECT CASE WHEN seen_at < now() - \(heartbeat)::interval * 2 THEN now() ELSE heard_since END
                        FROM coordinators
                        WHERE id = \(witness)
                    ),
                    'infinity') AS heard_since
            ), coordinators_gone AS (
                DELETE FROM coordinators
                USING witness
                WHERE greatest(seen_at, witness.heard_since) < now() - \(silenceLimit)::interval
            )
            DELETE FROM workers
            USING witness
            WHERE greatest(seen_at, witness.heard_since) < now() - \(silenceLimit)::interval
            RETURNING workers.id
            """)
        var rescue = try freeOrphans(on: database)
        rescue.workers = removed.count
        return rescue
    }

    /// Frees the jobs of workers that have no row.
    ///
    /// It looks for jobs without a registered worker, not for jobs of the workers just deleted. So it also finds jobs
    /// that a worker claimed at the moment of its removal. A call whose slot had begun may have been made, so it is
    /// logged.
    ///
    /// A worker that is only thought dead may still use a slot that is to come, and its report would then come too late
    /// to be logged. So a job waits for its slot to begin, unless its worker is in `dead`: a process that is known to
    /// have ended.
    ///
    /// A subject of the job may be what kills workers. So a job that was under way is split in two halves. They are
    /// claimed separately, which separates the harmful subject from the harmless ones. Only a job of one subject counts
    /// its losses and can die of them.
    private func freeOrphans(ofTheDead dead: [Int] = [], on database: isolated Connection) throws -> Rescue {
        let jobs = try database.query(
            """
            WITH orphans AS (
                SELECT *, starts_at <= clock_timestamp() AS is_begun,
                       starts_at <= clock_timestamp() AND cardinality(subjects) > 1 AS is_split,
                       (cardinality(subjects) + 1) / 2 AS half
                FROM jobs
                WHERE worker IS NOT NULL AND NOT EXISTS (SELECT FROM workers WHERE id = jobs.worker)
                  AND (starts_at <= clock_timestamp() OR worker = ANY (\(dead)))
                FOR UPDATE
            ), ends AS (
                SELECT id, is_begun AND NOT is_split AND losses + 1 >= \(mostLosses) AS is_dead
                FROM orphans
            ), logged AS (
                INSERT INTO calls (started_at, took, lane, worker, subjects, outcome, job)
                SELECT logged_moment(starts_at, (SELECT epoch FROM server_clock)), NULL, lane, worker,
                       cardinality(subjects), 'lost', id
                FROM orphans
                WHERE is_begun
            ), counted AS (
                INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, lost)
                SELECT date_trunc('minute', now()), lane, worker, count(*), 0, count(*)
                FROM orphans
                WHERE is_begun
                GROUP BY lane, worker
                ON CONFLICT (minute, lane, worker) DO UPDATE
                SET calls = t.calls + excluded.calls, lost = t.lost + excluded.lost
            ), freed AS (
                UPDATE jobs
                SET worker = NULL, lease = NULL, starts_at = NULL,
                    losses = jobs.losses + (orphans.is_begun AND NOT is_split)::integer,
                    subjects = CASE WHEN is_split THEN jobs.subjects[:half] ELSE jobs.subjects END
                FROM orphans
                JOIN ends USING (id)
                WHERE jobs.id = orphans.id AND NOT ends.is_dead
            ), \(part: Self.halves), \(part: Self.burial)
            SELECT ended.id, of, lanes.name AS lane, is_dead, subjects
            FROM (
                SELECT orphans.id, NULL AS of, lane, is_dead, subjects FROM orphans JOIN ends USING (id)
                UNION ALL
                SELECT id, of, lane, false, subjects FROM second
            ) AS ended
            JOIN lanes ON lanes.id = ended.lane
            """)
        let rescue = try Rescue(jobs)
        try JobQueue().tellReady(rescue.lanes, on: database)
        return rescue
    }

    /// Makes jobs of the second halves of split jobs.
    private static let halves: SQL = """
        second AS MATERIALIZED (
            SELECT nextval(pg_get_serial_sequence('jobs', 'id')) AS id, id AS of, lane, priority, run_at, failures, losses,
                   subjects[half + 1 :] AS subjects, history, trace, chain, call_number
            FROM orphans
            WHERE is_split
        ), queued AS (
            INSERT INTO jobs (id, lane, priority, run_at, failures, losses, subjects, history, trace, chain, call_number)
            OVERRIDING SYSTEM VALUE
            SELECT id, lane, priority, run_at, failures, losses, subjects, history, trace, chain, call_number FROM second
        )
        """

    /// Moves jobs that were lost too often to the dead jobs.
    private static let burial: SQL = """
        removed AS (
            DELETE FROM jobs
            USING ends
            WHERE jobs.id = ends.id AND ends.is_dead
            RETURNING jobs.*
        ), buried AS (
            INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, history, reason)
            SELECT id, lane, priority, failures, losses + 1, subjects, history,
                   format('%s workers vanished while they held it', losses + 1)
            FROM removed
        )
        """

    /// Returns true if a process of this host has sent a heartbeat recently, for a container's health check.
    package func isAlive(_ role: ProcessRole?, host: String, on database: isolated Connection) throws -> Bool {
        let alive = try database.query(
            """
            SELECT 'worker' AS role FROM workers
            WHERE host = \(host) AND seen_at > now() - \(silenceLimit)::interval
            UNION ALL
            SELECT 'coordinator' FROM coordinators
            WHERE host = \(host) AND seen_at > now() - \(silenceLimit)::interval
            """
        ).map { try $0.read("role", as: String.self) }
        return role.map { alive.contains($0.rawValue) } ?? !alive.isEmpty
    }
}

/// The jobs of workers that vanished.
package struct Rescue: Sendable {
    /// Silent workers that were removed.
    package var workers = 0
    package var freed = 0
    /// The lanes in which jobs were freed.
    package var lanes: Set<String> = []
    /// Jobs made of the second halves of others. Their questions must be updated.
    package var halves: [(job: Job.ID, of: Job.ID, subjects: [Int])] = []
    /// Jobs that were given up, because too many workers vanished while they held them.
    package var dead: [(job: Job.ID, lane: String, subjects: [Int])] = []
}

extension Rescue {
    fileprivate init(_ jobs: Rows) throws {
        self.init()
        for row in jobs {
            let lane: String = try row.read("lane")
            if try row.read("is_dead") {
                dead.append((job: try row.read("id"), lane: lane, subjects: try row.read("subjects")))
            } else if let first = try row.readIfPresent("of", as: Job.ID.self) {
                halves.append((job: try row.read("id"), of: first, subjects: try row.read("subjects")))
            } else {
                freed += 1
                lanes.insert(lane)
            }
        }
    }
}
