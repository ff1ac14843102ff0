package import Postgres

extension JobQueue {
    /// Makes sure that a worker which found a lane empty will be told of new jobs, for `length` from now. It has to
    /// listen already.
    ///
    /// Run it outside of a transaction, again and again until it says to sleep or to look.
    package func prepareToSleep(
        in lane: String, for length: Duration, on database: isolated Connection
    ) throws -> SleepAdvice {
        let row = try database.query("SELECT prepare_to_sleep(\(lane), \(length)::interval) AS advice")[0]
        return try SleepAdvice(rawValue: row.read("advice")) ?? .look
    }

    /// Removes marks of workers that slept and have looked by themselves since. Returns how many.
    package func forgetSleepers(on database: isolated Connection) throws -> Int {
        try database.query("DELETE FROM sleepers WHERE until < clock_timestamp() - interval '1 minute'").affected
    }
}

package enum SleepAdvice: String, Sendable {
    /// Each job from now on is told of.
    case sleep
    /// There are jobs.
    case look
    /// A mark was left. Ask again, now that it is committed.
    case again
    /// Jobs are being committed that can't be seen yet. Ask again in a moment.
    case busy
}
