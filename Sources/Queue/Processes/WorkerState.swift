package import Postgres

/// The id of a running worker process. A worker that starts again gets a new one.
package typealias WorkerID = Int

/// A running worker process, as other processes see it.
package struct WorkerState: Identifiable, Sendable {
    package let id: WorkerID
    package let name: String
    package let host: String
    package let pid: Int

    /// The lanes that it can serve.
    package let lanes: [String]

    /// It finishes the jobs that it holds and claims none.
    package let isQuiet: Bool

    /// The time since it started, and since its last heartbeat, on the database's clock.
    package let age: Duration
    package let silence: Duration

    /// Jobs that it holds.
    package let held: Int

    /// In bytes, from its last heartbeat.
    package let memory: Int?
}

/// The kind of a process.
package enum ProcessRole: String, Sendable, CaseIterable {
    case worker
    case coordinator
}

extension ProcessRegistry {
    /// Returns the registered workers, oldest first.
    package func workers(on database: isolated Connection) throws -> [WorkerState] {
        try database.query(
            """
            SELECT id, name, host, pid, lanes, quiet, memory,
                   extract(epoch FROM now()) - extract(epoch FROM started_at) AS age,
                   extract(epoch FROM now()) - extract(epoch FROM seen_at) AS silence,
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

    /// Asks the workers with this name, or the one with this id, to claim no more jobs, or to claim again. Returns
    /// their former states.
    package func setQuiet(
        _ isQuiet: Bool, _ worker: String, by author: Author? = nil, on database: isolated Connection
    ) throws -> [(id: WorkerID, name: String, wasQuiet: Bool)] {
        try setQuiet(
            isQuiet, where: "name = \(worker) OR id::text = \(worker)", orSay: "no worker is called \"\(worker)\"",
            by: author, on: database)
    }

    /// Does the same for the one worker with this id.
    package func setQuiet(
        _ isQuiet: Bool, number: WorkerID, by author: Author? = nil, on database: isolated Connection
    ) throws {
        _ = try setQuiet(
            isQuiet, where: "id::bigint = \(number)", orSay: "there is no worker \(number)", by: author, on: database)
    }

    private func setQuiet(
        _ isQuiet: Bool, where condition: SQL, orSay error: String, by author: Author?, on database: isolated Connection
    ) throws -> [(id: WorkerID, name: String, wasQuiet: Bool)] {
        let rows = try database.query(
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
        guard !rows.isEmpty else { throw QueueError(error, cause: .noSuchWorker) }
        // A worker that was quiet looks for jobs again only when it is notified.
        let lanes = isQuiet ? [] : try rows.flatMap { try $0.read("lanes", as: [String].self) }
        try JobQueue().tellReady(Set(lanes), on: database)
        let meant: [(id: WorkerID, name: String, wasQuiet: Bool)] = try rows.map {
            (try $0.read("id"), try $0.read("name"), try $0.read("quiet"))
        }
        for worker in meant where worker.wasQuiet != isQuiet {
            try AuditLog().append(
                isQuiet ? .quietWorker : .resumeWorker, "\(worker.id)", after: ["name": worker.name], by: author,
                on: database)
        }
        return meant
    }
}
