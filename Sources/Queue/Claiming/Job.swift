import Postgres

/// One call to make, held by one worker.
package struct Job: Identifiable, Hashable, Sendable {
    package let id: Int

    /// Proves ownership: a worker with another lease has lost the job.
    package let lease: Int
    package let failures: Int

    /// The subjects of the call: ids of the table that the lane works on, such as `geocodes`.
    package let subjects: [Int]

    /// The time in which the call may start; nil in a lane without limits.
    package let slot: Slot?

    /// The time since which the job could have been claimed, on the database's clock, since 1970.
    package let dueAt: Duration

    /// The trace of the request that queued the job, in a form that `SpanContext` reads; nil without tracing.
    package let trace: String?
}

extension Job {
    /// In the order of the columns, in which a row finds them fastest.
    init(_ row: Row) throws {
        id = try row.read("job")
        lease = try row.read("lease")
        failures = try row.read("failures")
        subjects = try row.read("subjects")
        let opens = try row.readIfPresent("starts_at", as: Duration.self)
        let closes = try row.readIfPresent("void_at", as: Duration.self)
        slot = if let opens, let closes { Slot(opens: opens, closes: closes) } else { nil }
        dueAt = try row.read("due_at")
        trace = try row.readIfPresent("trace")
    }
}

/// The time in which a call may start, on the database's clock, since 1970. After it the slot is void.
package struct Slot: Hashable, Sendable {
    package let opens: Duration
    package let closes: Duration

    package init(opens: Duration, closes: Duration) {
        self.opens = opens
        self.closes = closes
    }
}

/// A job that was just queued, with its subjects.
package struct QueuedJob: Identifiable, Hashable, Sendable {
    package let id: Int
    package let subjects: [Int]

    package init(id: Int, subjects: [Int]) {
        (self.id, self.subjects) = (id, subjects)
    }
}

extension QueuedJob {
    init(_ row: Row) throws {
        self.init(id: try row.read("id"), subjects: try row.read("subjects"))
    }
}
