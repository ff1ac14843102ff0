package import Postgres

extension JobQueue {
    /// Queues `subjects` in a lane in the given order, with up to the lane's `batch` of them in a job.
    ///
    /// The caller makes sure in the same transaction that no live job has any of these subjects.
    package func enqueue(
        _ subjects: [Int], in lane: String, priority: Priority = .usual, on database: isolated Connection
    ) throws -> [QueuedJob] {
        guard !subjects.isEmpty else { return [] }
        return try database.query(
            "SELECT job, subjects FROM queue_jobs(\(lane), \(subjects), \(priority.rawValue)::smallint)"
        ).map { try QueuedJob(id: $0.read("job"), subjects: $0.read("subjects")) }
    }

    /// Reserves ids for the jobs that `count` subjects need in a lane. The jobs are queued later in the same
    /// transaction.
    ///
    /// With them a subject can be stored together with the id of its job.
    package func reserve(
        forAtMost count: Int, in lane: String, on database: isolated Connection
    ) throws -> (jobs: [Int], batch: Int) {
        let row = try database.query("SELECT jobs, batch FROM reserve_jobs(\(lane), \(count)::integer)")[0]
        return (jobs: try row.read("jobs"), batch: try row.read("batch"))
    }

    /// Queues each subject in its reserved job. `chain` is that of all subjects, from which forecasts learn.
    package func enqueue(
        _ subjects: [(job: Int, subject: Int)], of chain: Int = 0, in lane: String, priority: Priority = .usual,
        on database: isolated Connection
    ) throws {
        guard !subjects.isEmpty else { return }
        try database.query(
            """
            SELECT queue_reserved_jobs(
                \(lane), \(subjects.map(\.job)), \(subjects.map(\.subject)), \(priority.rawValue)::smallint,
                \(chain)::integer)
            """)
    }
}

/// The urgency of a job. Within a priority, older jobs go first.
package enum Priority: Int, Sendable, CaseIterable {
    /// Background work.
    case idle = 0
    case usual = 1
    case soon = 2
    /// A person is waiting for it.
    case now = 3
}

extension Connection {
    /// Sets the trace of the jobs that this session queues from now on: `traceparent`, a space, and `tracestate`; nil
    /// for none. It costs no round trip, and nothing at all if the trace does not change.
    package func queueJobs(inTrace trace: String?) throws { try set("waypost.trace", to: trace ?? "") }
}
