import Operations
import Postgres
import Queue

extension ServerClock {
    /// Reads the database's clock for as long as that helps. If it was set, begins a new epoch, and moves everything
    /// that counts by the clock.
    mutating func ask(of queue: JobQueue, _ log: Log, on database: isolated Connection) throws {
        func read() throws -> (sent: Instant, answered: Instant, shown: Duration, epoch: Int?) {
            let sent = ContinuousClock.Instant.now
            let reading = try queue.clockReading(on: database)
            return (sent, .now, reading.shown, reading.epoch)
        }
        try ask { try read() }
        guard let step, let epoch else { return }
        let isFirst = try database.transaction { try queue.shiftClock(by: step, after: epoch, on: $0) }
        if isFirst {
            log.warning(
                "the database's clock was set; limits, waits and leases were moved with it",
                ["seconds": Double(Int((step / .milliseconds(1)).rounded())) / 1_000])
        }
        // By the bounds of the new epoch.
        doubt()
        try ask(1) { try read() }
    }
}
