import Monitoring
import Postgres
import Processes
import Queue

extension ServerClock {
    /// Reads the database's clock for as long as that helps. If the clock was set, begins a new epoch, and moves
    /// everything that counts by the clock.
    mutating func measure(of queue: JobQueue, _ log: Log, on database: isolated Connection) throws {
        try measure { try Self.read(queue, on: database) }
        guard let step, let epoch else { return }
        let isFirst = try database.transaction { try queue.shiftClock(by: step, after: epoch, on: $0) }
        if isFirst {
            log.warning(
                "the database's clock was set; limits, waits and leases were moved with it",
                ["seconds": Self.seconds(step)])
        }
        // Measure with the bounds of the new epoch.
        doubt()
        try measure(1) { try Self.read(queue, on: database) }
    }

    private static func read(
        _ queue: JobQueue, on database: isolated Connection
    ) throws -> (sent: Instant, answered: Instant, shown: Duration, epoch: Int?) {
        let sent = ContinuousClock.Instant.now
        let reading = try queue.clockReading(on: database)
        return (sent, .now, reading.shown, reading.epoch)
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(Int((duration / .milliseconds(1)).rounded())) / 1_000
    }
}

/// The first reading by a process that starts.
extension ServerClock {
    /// Reads the clock for the first time. Returns true if it is known that the clock was not set before, or if it was
    /// moved back to what it was.
    ///
    /// The last check by a process of this host is as good as one of our own: a host's time since its boot continues
    /// while no process runs. If the last check is another host's, a living process may know the clock. If no process
    /// lives, the clock is adopted.
    mutating func begin(of queue: JobQueue, _ log: Log, on database: isolated Connection) throws -> Bool {
        let boot = OwnProcess.hostBoot
        if !boot.isEmpty, let last = try queue.lastClockCheck(on: database), last.check.boot == boot {
            learn(
                sent: Self.boot + .seconds(last.check.from), answered: Self.boot + .seconds(last.check.to),
                shown: .seconds(last.check.shown), epoch: last.epoch)
            doubt()
            try measure(of: queue, log, on: database)
            return true
        }
        try measure(of: queue, log, on: database)
        guard try queue.isUnattended(on: database) else { return false }
        try adopt(of: queue, log, on: database)
        return true
    }

    /// Adopts the clock, because no process knows if it was set since the last check. Another process may be first.
    mutating func adopt(of queue: JobQueue, _ log: Log, on database: isolated Connection) throws {
        guard let epoch else { return }
        if let unchecked = try database.transaction({ try queue.adoptClock(after: epoch, on: $0) }) {
            if unchecked < .zero {
                log.warning(
                    "the database's clock was set back while no process ran; waits and leases were moved with it",
                    ["seconds": Self.seconds(unchecked)])
            } else {
                log.info(
                    "no process knew the database's clock for a while; limits go on with what they had left then",
                    ["seconds": Self.seconds(unchecked)])
            }
        }
        doubt()
        try measure(of: queue, log, on: database)
        try confirm(for: 0, of: queue, on: database)
    }

    /// Stores the reading of the clock, for processes of this host that start later.
    func confirm(for worker: WorkerID, of queue: JobQueue, on database: isolated Connection) throws {
        guard let epoch, let drawnAt else { return }
        let to = Self.boot.duration(to: drawnAt)
        let check = ClockCheck(
            boot: OwnProcess.hostBoot, from: (to - (upper - lower)) / .seconds(1), to: to / .seconds(1),
            shown: (origin.duration(to: drawnAt) + lower) / .seconds(1))
        try queue.confirmClock(of: epoch, for: worker, check, on: database)
    }

    /// When this host booted, on its monotonic clock.
    private static var boot: Instant { ContinuousClock().systemEpoch }
}
