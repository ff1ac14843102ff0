package import Postgres

extension JobQueue {
    /// Queues `subjects` in a lane, as many to a job as the lane's batch allows, in the order given.
    ///
    /// The caller makes sure in the same transaction that no live job carries any of them already.
    package func enqueue(
        _ subjects: [Int], in lane: String, priority: Priority = .usual, on database: isolated Connection
    ) throws -> [QueuedJob] {
        guard !subjects.isEmpty else { return [] }
        return try database.query(
            "SELECT job, subjects FROM queue_jobs(\(lane), \(subjects), \(priority.rawValue)::smallint)"
        ).map { try QueuedJob(id: $0.read("job"), subjects: $0.read("subjects")) }
    }
}

/// How urgent a job is. Within a priority, older goes first.
package enum Priority: Int, Sendable, CaseIterable {
    /// When there is nothing better to do.
    case idle = 0
    case usual = 1
    case soon = 2
    /// Somebody is waiting for it.
    case now = 3
}
