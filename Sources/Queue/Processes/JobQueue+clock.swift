package import Postgres

/// A worker that begins knows the database's clock only by what it shows. If that was set a moment ago, and no process
/// has noticed yet, buckets and slots still count by the old clock. So it waits until a process that knew the clock
/// before has checked it; that takes about as long as a coordinator's round.
extension JobQueue {
    /// The newest worker there is. Each read the clock before it got its number.
    package func newestWorker(on database: isolated Connection) throws -> WorkerID {
        try database.query("SELECT coalesce(max(id), 0) AS id FROM workers")[0].read("id")
    }

    /// Stores that a process which knew the clock of `epoch` found it unchanged when `worker` was the newest worker.
    package func confirmClock(of epoch: Int, for worker: WorkerID, on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE server_clock SET checked_for = \(worker)::integer
            WHERE epoch = \(epoch)::integer AND checked_for < \(worker)::integer
            """)
    }

    /// Whether a worker may claim in a lane: the clock was checked since it began, or nothing depends on that, or no
    /// process can check it.
    package func isClockConfirmed(
        for worker: WorkerID, in lane: String, on database: isolated Connection
    ) throws -> Bool {
        try database.query(
            """
            SELECT checked_for >= \(worker)::integer
                OR NOT EXISTS (SELECT FROM coordinators)
                OR NOT EXISTS (SELECT FROM token_buckets JOIN lanes ON lanes.id = lane WHERE name = \(lane))
                AS is_confirmed
            FROM server_clock
            """)[0].read("is_confirmed")
    }
}
