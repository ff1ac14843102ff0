package import Postgres

/// The tables `workers` and `coordinators`: which processes are alive.
package struct ProcessRegistry: Sendable {
    /// A process that has not been heard of for so long has lost its jobs.
    package let silenceLimit: Duration

    package init(silenceLimit: Duration = .seconds(10)) {
        self.silenceLimit = silenceLimit
    }

    /// How often a process should say that it lives.
    package var heartbeat: Duration { silenceLimit / 4 }

    /// Announces a process. A worker that starts again is another worker, with an id of its own.
    package func register(
        _ role: ProcessRole, name: String, host: String, pid: Int, on database: isolated Connection
    ) throws -> Int {
        let row =
            switch role {
            case .worker:
                try database.query(
                    "INSERT INTO workers (name, host, pid) VALUES (\(name), \(host), \(pid)) RETURNING id")
            case .coordinator:
                try database.query(
                    "INSERT INTO coordinators (name, host, pid) VALUES (\(name), \(host), \(pid)) RETURNING id")
            }
        return try row[0].read("id")
    }

    /// Says that the process lives. False when it was struck off meanwhile: its jobs are somebody else's.
    package func beat(_ role: ProcessRole, _ id: Int, on database: isolated Connection) throws -> Bool {
        switch role {
        case .worker: try database.query("UPDATE workers SET seen_at = now() WHERE id = \(id)").affected == 1
        case .coordinator: try database.query("UPDATE coordinators SET seen_at = now() WHERE id = \(id)").affected == 1
        }
    }

    /// Strikes the process off; what it still held is ready again at once.
    package func leave(_ role: ProcessRole, _ id: Int, on database: isolated Connection) throws {
        switch role {
        case .worker:
            try database.query("DELETE FROM workers WHERE id = \(id)")
            try freeOrphans(on: database)
        case .coordinator:
            try database.query("DELETE FROM coordinators WHERE id = \(id)")
        }
    }

    /// Strikes off whoever ran as this process. For a parent that has seen its child die: it need not
    /// wait until the silence is long enough.
    package func bury(host: String, pid: Int, on database: isolated Connection) throws {
        try database.query("DELETE FROM workers WHERE host = \(host) AND pid = \(pid)")
        try database.query("DELETE FROM coordinators WHERE host = \(host) AND pid = \(pid)")
        try freeOrphans(on: database)
    }

    /// Strikes off every process that fell silent. Returns how many jobs came free.
    @discardableResult
    package func rescue(on database: isolated Connection) throws -> Int {
        try database.query("DELETE FROM coordinators WHERE seen_at < now() - \(silenceLimit)::interval")
        try database.query("DELETE FROM workers WHERE seen_at < now() - \(silenceLimit)::interval")
        return try freeOrphans(on: database)
    }

    /// Frees the jobs of workers that have no row any more.
    ///
    /// Looking for orphans, and not for the jobs of the workers just deleted, also finds what a
    /// worker claimed in the very moment in which it was struck off.
    @discardableResult
    private func freeOrphans(on database: isolated Connection) throws -> Int {
        let lanes = try database.query(
            """
            WITH freed AS (
                UPDATE jobs
                SET worker = NULL, lease = NULL
                WHERE worker IS NOT NULL AND NOT EXISTS (SELECT FROM workers WHERE id = jobs.worker)
                RETURNING lane
            )
            SELECT lanes.name AS lane, count(*) AS jobs
            FROM freed
            JOIN lanes ON lanes.id = freed.lane
            GROUP BY lanes.name
            """)
        for lane in lanes { try JobQueue().announce(lane.read("lane"), on: database) }
        return try lanes.reduce(0) { try $0 + $1.read("jobs") }
    }

    /// The workers that are registered, oldest first.
    package func workers(on database: isolated Connection) throws -> [WorkerState] {
        try database.query(
            """
            SELECT id, name, host, pid, extract(epoch FROM now() - seen_at) AS silence,
                   (SELECT count(*) FROM jobs WHERE worker = workers.id) AS held
            FROM workers
            ORDER BY id
            """
        ).map {
            try WorkerState(
                id: $0.read("id"), name: $0.read("name"), host: $0.read("host"), pid: $0.read("pid"),
                silence: $0.read("silence"), held: $0.read("held"))
        }
    }

    /// Whether a process of this host has been heard of lately, for a container's health check.
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
