/// The tables `lanes`, `token_buckets`, `jobs`, `dead_jobs`, `calls` and `throughput`, and every statement that
/// touches them.
package struct JobQueue: Sendable {
    /// Notifies that a lane without ready jobs has some now; the payload is the lane's name.
    package static let readyChannel = "waypost_jobs"

    /// Notifies that a lane was paused, resumed, blocked, or given other limits; the payload is the lane's name.
    package static let lanesChannel = "waypost_lanes"

    package init() {}
}
