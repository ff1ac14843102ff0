import Postgres

/// One call to make, held by one worker.
package struct Job: Identifiable, Hashable, Sendable {
    package let id: Int

    /// Proves ownership: a worker with another number has lost the job.
    package let lease: Int
    package let failures: Int

    /// What the call is about: ids of the table that the lane's work is about, such as `geocodes`.
    package let subjects: [Int]

    /// When the call may be made; nil where nothing limits it.
    package let slot: Slot?

    /// Since when it could have been claimed, on the database's clock, since 1970.
    package let dueAt: Duration

    /// The trace of whoever queued it, for the room `Tracing` to read; nil where nobody traces it.
    package let trace: String?

    init(_ row: Row) throws {
        id = try row.read("job")
        dueAt = try row.read("due_at")
        trace = try row.readIfPresent("trace")
        lease = try row.read("lease")
        failures = try row.read("failures")
        subjects = try row.read("subjects")
        slot = try row.readIfPresent("void_at").map { Slot(opens: try row.read("starts_at"), closes: $0) }
    }
}

/// The time in which a call may start, on the database's clock, since 1970. Past it the slot is void.
package struct Slot: Hashable, Sendable {
    package let opens: Duration
    package let closes: Duration

    package init(opens: Duration, closes: Duration) {
        self.opens = opens
        self.closes = closes
    }
}

/// A job that was just queued, and what it carries.
package struct QueuedJob: Identifiable, Hashable, Sendable {
    package let id: Int
    package let subjects: [Int]
}

extension QueuedJob {
    init(_ row: Row) throws {
        self.init(id: try row.read("id"), subjects: try row.read("subjects"))
    }
}
