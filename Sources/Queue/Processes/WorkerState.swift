package import Postgres

/// The number of a running worker process. One that starts again gets another.
package typealias WorkerID = Int

/// A running worker process, as the others see it.
package struct WorkerState: Identifiable, Sendable {
    package let id: WorkerID
    package let name: String
    package let host: String
    package let pid: Int

    /// What it can serve.
    package let lanes: [String]

    /// Finishes what it holds and claims nothing.
    package let isQuiet: Bool

    /// Since it started, and since the last heartbeat, on the database's clock.
    package let age: Duration
    package let silence: Duration

    /// Jobs that it holds.
    package let held: Int

    /// In bytes, as it said with its last heartbeat.
    package let memory: Int?
}

/// What kind of process keeps a row alive.
package enum ProcessRole: String, Sendable, CaseIterable {
    case worker
    case coordinator
}

extension ProcessRegistry {
    /// The workers that are registered, oldest first.
    package func workers(on database: isolated Connection) throws -> [WorkerState] {
        try database.query(
            """
            SELECT id, name, host, pid, lanes, quiet, memory,
                   extract(epoch FROM now() - started_at) AS age,
                   extract(epoch FROM now() - seen_at) AS silence,
                   (SELECT count(*) FROM jobs WHERE worker = workers.id) AS held
            FROM workers
            ORDER BY id
            """
        ).map {
            try WorkerState(
                id: $0.read("id"), name: $0.read("name"), host: $0.read("host"), pid: $0.read("pid"),
                lanes: $0.read("lanes"), isQuiet: $0.read("quiet"), age: $0.read("age"),
                silence: $0.read("silence"), held: $0.read("held"), memory: $0.readIfPresent("memory"))
        }
    }

    /// Asks the workers of this name, or the one with this number, to claim no more jobs, or to claim again. Returns
    /// them as they were before.
    package func setQuiet(
        _ isQuiet: Bool, _ worker: String, on database: isolated Connection
    ) throws -> [(id: WorkerID, name: String, wasQuiet: Bool)] {
        let meant = try setQuiet(isQuiet, where: "name = \(worker) OR id::text = \(worker)", on: database)
        guard !meant.isEmpty else {
            throw QueueError("no worker is called \"\(worker)\"", cause: .noSuchWorker)
        }
        return meant
    }

    /// The same for the one worker with this number.
    func setQuiet(
        _ isQuiet: Bool, number: WorkerID, on database: isolated Connection
    ) throws -> [(id: WorkerID, name: String, wasQuiet: Bool)] {
        let meant = try setQuiet(isQuiet, where: "id::bigint = \(number)", on: database)
        guard !meant.isEmpty else {
            throw QueueError("there is no worker \(number)", cause: .noSuchWorker)
        }
        return meant
    }

    private func setQuiet(
        _ isQuiet: Bool, where condition: SQL, on database: isolated Connection
    ) throws -> [(id: WorkerID, name: String, wasQuiet: Bool)] {
        let meant = try database.query(
            """
            WITH meant AS (
                SELECT id, name, quiet, lanes
                FROM workers
                WHERE \(part: condition)
                ORDER BY id
                FOR UPDATE
            ), changed AS (
                UPDATE workers
                SET quiet = \(isQuiet)
                FROM meant
                WHERE workers.id = meant.id
            )
            SELECT * FROM meant
            """)
        // A worker that was quiet looks again only when it is notified.
        let lanes = isQuiet ? [] : try meant.flatMap { try $0.read("lanes", as: [String].self) }
        for lane in Set(lanes) { try database.query("SELECT pg_notify(\(JobQueue.readyChannel), \(lane))") }
        return try meant.map { (id: try $0.read("id"), name: try $0.read("name"), wasQuiet: try $0.read("quiet")) }
    }
}
