package import Postgres

extension JobQueue {
    /// Queues `subjects` in a lane, as many to a job as the lane's batch allows, in the order given.
    ///
    /// The caller makes sure in the same transaction that no live job carries any of them already.
    package func enqueue(
        _ subjects: [Int], in lane: String, priority: Int = 0, on database: isolated Connection
    ) throws -> [QueuedJob] {
        guard !subjects.isEmpty else { return [] }
        let jobs = try database.query(
            """
            INSERT INTO jobs (lane, priority, subjects)
            SELECT lanes.id, \(priority), array_agg(numbered.subject ORDER BY numbered.place)
            FROM lanes, unnest(\(subjects)) WITH ORDINALITY AS numbered (subject, place)
            WHERE lanes.name = \(lane)
            GROUP BY lanes.id, (numbered.place - 1) / lanes.batch
            ORDER BY min(numbered.place)
            RETURNING id, subjects
            """
        ).map { try QueuedJob(id: $0.read("id"), subjects: $0.read("subjects")) }
        guard !jobs.isEmpty else { throw DatabaseError(message: "there is no lane called \"\(lane)\"") }
        // Sent at commit, and once for each transaction however many jobs it brings.
        try announce(lane, on: database)
        return jobs
    }

    /// Sets how many subjects one call of a lane carries, from the next enqueueing on.
    package func setBatch(_ batch: Int, of lane: String, on database: isolated Connection) throws {
        try database.query("UPDATE lanes SET batch = \(batch) WHERE name = \(lane)")
    }
}
