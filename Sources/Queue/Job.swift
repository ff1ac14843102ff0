import Postgres

/// One call to make, held by one worker.
package struct Job: Identifiable, Hashable, Sendable {
    package let id: Int

    /// Proves ownership: whoever holds another number has lost the job.
    package let lease: Int
    package let lane: String
    package let failures: Int

    /// What the call is about: ids in `geocodes`.
    package let subjects: [Int]

    init(_ row: Row) throws {
        id = try row.read("id")
        lease = try row.read("lease")
        lane = try row.read("lane")
        failures = try row.read("failures")
        subjects = try row.read("subjects")
    }
}

/// A job that was just queued, and what it carries.
package struct QueuedJob: Identifiable, Hashable, Sendable {
    package let id: Int
    package let subjects: [Int]
}
