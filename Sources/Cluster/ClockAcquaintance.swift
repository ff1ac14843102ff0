import Postgres
import Queue

/// Waits for a process that knows the database's clock, if this one does not.
struct ClockAcquaintance: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Coordinators check the clock every second. If none does so for this long, no process knows it.
    private static let patience: Duration = .seconds(3)

    private let deadline: Instant = .now + patience
    private var firstUse: ClockUse?

    var isOverdue: Bool { deadline <= .now }

    /// Returns true if a process that knows the clock has used it since the first look.
    mutating func isMade(of queue: JobQueue, on database: isolated Connection) throws -> Bool {
        let use = try queue.clockUse(on: database)
        defer { firstUse = firstUse ?? use }
        return firstUse.map(use.isNew(since:)) ?? false
    }
}

extension LaneLoop {
    /// Waits until it is known that the clock was not set before this worker started, or the worker has adopted it.
    func waitForClockCheck() async {
        guard !membership.knowsClock else { return }
        var acquaintance = ClockAcquaintance()
        while !Task.isCancelled {
            let state = acquaintance
            let outcome = try? await membership.run { [worker, membership, lane, log] db throws in
                var state = state
                let isMade = try state.isMade(of: worker.queue, on: db)
                if try isMade || worker.queue.isClockConfirmed(for: membership.id, in: lane, on: db) {
                    return (state, true)
                }
                guard state.isOverdue else { return (state, false) }
                var clock = membership.clock
                try clock.adopt(of: worker.queue, log, on: db)
                return (state, true)
            }
            if let outcome {
                acquaintance = outcome.0
                if outcome.1 { return }
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
