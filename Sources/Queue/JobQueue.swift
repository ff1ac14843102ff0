/// The tables `lanes`, `token_buckets`, `jobs`, `dead_jobs`, `calls` and `throughput`, and every statement on them.
package struct JobQueue: Sendable {
    /// The channel that notifies of ready jobs in a lane that had none. The payload is the lane's name.
    package static let readyChannel = "waypost_jobs"

    /// The channel that notifies of a lane that was paused, resumed, blocked, or given new limits. The payload is the
    /// lane's name.
    package static let lanesChannel = "waypost_lanes"

    package init() {}
}

/// The reason why the queue can't do what a person requested.
package struct QueueError: Error, Equatable, CustomStringConvertible {
    package enum Cause: Sendable {
        case noSuchLane, noSuchWorker, laneExists, contradiction, other
    }

    package let description: String
    package let cause: Cause

    init(_ description: String, cause: Cause = .other) {
        self.description = description
        self.cause = cause
    }

    static func noLane(_ name: String) -> Self {
        Self("there is no lane called \"\(name)\"", cause: .noSuchLane)
    }
}
