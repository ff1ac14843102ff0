package import Postgres

extension JobQueue {
    /// Leaves a mark for a worker that found a lane empty: enqueues notify it for `length` from now. The worker must
    /// listen already.
    ///
    /// Call it outside a transaction, and repeat it until the advice is to sleep or to look.
    package func prepareToSleep(
        in lane: String, for length: Duration, on database: isolated Connection
    ) throws -> SleepAdvice {
        let row = try database.query("SELECT prepare_to_sleep(\(lane), \(length)::interval) AS advice")[0]
        return try SleepAdvice(rawValue: row.read("advice")) ?? .look
    }

    /// Returns those of the lanes that have jobs for `worker`, which waits for jobs in all of them, and how many workers
    /// share the looks that one would make.
    package func lookForJobs(
        in lanes: [String], for worker: WorkerID, on database: isolated Connection
    ) throws -> (lanes: [String], crowd: Double) {
        let row = try database.query("SELECT * FROM look_for_jobs(\(worker)::integer, \(lanes))")[0]
        return (try row.read("lanes_with_jobs"), try row.read("crowd"))
    }

    /// Deletes marks that expired a minute ago or earlier; their workers have looked for jobs since then. Returns how
    /// many.
    package func forgetSleepers(on database: isolated Connection) throws -> Int {
        try database.query("DELETE FROM sleepers WHERE until < clock_timestamp() - interval '1 minute'").affected
    }
}

package enum SleepAdvice: String, Sendable {
    /// The worker is notified of each new job.
    case sleep
    /// There are jobs.
    case look
    /// A mark was left. Call again, now that it is committed.
    case again
    /// Jobs are being committed that can't be seen yet. Call again soon.
    case busy
}
