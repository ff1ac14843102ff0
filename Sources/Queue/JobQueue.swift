/// The tables `lanes`, `token_buckets`, `jobs`, `dead_jobs`, `calls` and `throughput`, and every statement on them.
package struct JobQueue: Sendable {
    /// The channel that notifies of ready jobs in a lane that had none. The payload is the lane's name.
    package static let readyChannel = "waypost_jobs"

    /// The channel that notifies of a lane that was paused, resumed, blocked, or given new limits. The payload is the
    /// lane's name.
    package static let lanesChannel = "waypost_lanes"

    package init() {}
}
