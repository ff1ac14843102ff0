import Postgres
import Processes
import Queue

extension ServerClock {
    /// Reads the database's clock for as long as that helps. If the clock was set, begins a new epoch, and moves
    /// everything that counts by the clock. If the clock is slewed, begins an epoch with another rate.
    mutating func measure(of queue: JobQueue, _ log: Log, on database: isolated Connection) throws {
        try measure { try Self.read(queue, after: $0, on: database) }
        guard let step, let epoch else { return }
        let (isSet, newRate) = (isSet, newRate)
        let isFirst = try database.transaction { db throws in
            isSet
                ? try queue.shiftClock(by: step, after: epoch, on: db)
                : try queue.slewClock(by: step, to: newRate, after: epoch, on: db)
        }
        if isFirst, isSet {
            log.warning(
                "the database's clock was set; limits, waits and leases were moved with it",
                ["seconds": Self.seconds(step)])
        } else if isFirst, abs(newRate - rate) > ClockDrift.share {
            log.info(
                "the database's clock is slewed; limits count by the workers' clocks",
                ["ppm": Int(clamping: newRate * 1e6)])
        }
        // Measure with the bounds of the new epoch. Of our own setting we know more than of another process's.
        doubt()
        try measure(1) { try Self.read(queue, after: isFirst && isSet ? nil : $0, on: database) }
    }

    private static func read(
        _ queue: JobQueue, after known: Int?, on database: isolated Connection
    ) throws -> ClockExchange {
        let sent = ContinuousClock.Instant.now
        let reading = try queue.clockReading(on: database)
        let answered = ContinuousClock.Instant.now
        let steps = try known.map { known in
            known == reading.epoch ? [] : try queue.clockChanges(from: known, to: reading.epoch, on: database)
        }
        return ClockExchange(
            sent: sent, answered: answered, shown: reading.shown, epoch: reading.epoch, rate: reading.rate,
            steps: steps ?? [])
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(Int((duration / .milliseconds(1)).rounded())) / 1_000
    }
}

/// The first reading by a process that starts.
extension ServerClock {
    /// Reads the clock for the first time. Returns true if it is known that the clock was not set before.
    ///
    /// The last check by a process of this host is as good as one of our own: a host's time since its boot continues
    /// while no process runs. But if a clone of a virtual machine made the check, its time since the boot is another. So
    /// a check that disagrees with the clock counts only if no process lives: a living process may know the clock. Without
    /// such a check the clock is adopted.
    mutating func begin(
        of queue: JobQueue, _ log: Log, as boot: String = OwnProcess.hostBoot, on database: isolated Connection
    ) throws -> Bool {
        if let known = try Self.remembered(by: boot, of: queue, on: database), known.step == nil {
            self = known
            return true
        }
        try measure(of: queue, log, on: database)
        guard try queue.isUnattended(on: database) else { return false }
        try adopt(of: queue, log, as: boot, on: database)
        return true
    }

    /// The clock as it continues since the last check, if a process of this boot made it.
    private static func remembered(
        by boot: String, of queue: JobQueue, on database: isolated Connection
    ) throws -> Self? {
        guard !boot.isEmpty, let last = try queue.lastClockCheck(on: database), last.check.boot == boot else {
            return nil
        }
        var clock = Self()
        clock.learn(
            sent: Self.boot + Duration(clampingSeconds: last.check.from),
            answered: Self.boot + Duration(clampingSeconds: last.check.to),
            shown: Duration(clampingSeconds: last.check.shown), epoch: last.epoch, rate: last.rate, isOld: true)
        clock.doubt()
        try clock.measure { try read(queue, after: $0, on: database) }
        return clock
    }

    /// Continues with the last check of this host, or adopts the clock: no living process knows if it was set since the
    /// last check. Another process may be first.
    mutating func adopt(
        of queue: JobQueue, _ log: Log, as boot: String = OwnProcess.hostBoot, on database: isolated Connection
    ) throws {
        if let known = try Self.remembered(by: boot, of: queue, on: database) {
            self = known
            try measure(of: queue, log, on: database)
            return try confirm(for: 0, as: boot, of: queue, on: database)
        }
        guard let epoch else { return }
        if let unchecked = try database.transaction({ try queue.adoptClock(after: epoch, on: $0) }) {
            if unchecked < .zero {
                log.warning(
                    "the database's clock was set back while no process ran; waits and leases were moved with it",
                    ["seconds": Self.seconds(unchecked)])
            } else {
                log.info(
                    "no process had bounds of the database's clock for a while; limits go on with what they had left then",
                    ["seconds": Self.seconds(unchecked)])
            }
        }
        doubt()
        try measure(of: queue, log, on: database)
        try confirm(for: 0, as: boot, of: queue, on: database)
    }

    /// Stores the reading of the clock, for processes of this host that start later.
    func confirm(
        for worker: WorkerID, as boot: String = OwnProcess.hostBoot, of queue: JobQueue,
        on database: isolated Connection
    ) throws {
        guard let epoch, let drawnAt else { return }
        let to = Self.boot.duration(to: drawnAt)
        let check = ClockCheck(
            boot: boot, from: (to - (upper - lower)) / .seconds(1), to: to / .seconds(1),
            shown: lowest(at: drawnAt) / .seconds(1))
        try queue.confirmClock(of: epoch, for: worker, check, on: database)
    }

    /// When this host booted, on its monotonic clock.
    private static var boot: Instant { ContinuousClock().systemEpoch }
}
