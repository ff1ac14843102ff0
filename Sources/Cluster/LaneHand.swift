import HTTP
import Queue

/// The jobs that a worker holds in one lane, and its room for more.
///
/// A job takes its place from the claim until the database has acknowledged the result. So a slow database slows the
/// claims instead of filling the memory.
struct LaneHand {
    typealias Instant = ContinuousClock.Instant

    /// A call whose slot is still to come.
    struct Waiting: Sendable {
        let job: Job
        let question: ErasedWork.Question
        let opens: Instant
        /// After this the slot is void; nil in a lane without limits.
        let closes: Instant?
    }

    struct Running {
        let job: Job
        let begunAt: Instant
        let departure: Departure
    }

    let capacity: Int
    private(set) var waiting: [Waiting] = []
    private(set) var running: [Job.ID: Running] = [:]
    private(set) var saving: Set<Job.ID> = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    var room: Int { capacity - waiting.count - running.count - saving.count }

    var isEmpty: Bool { room == capacity }

    /// When the next slot opens.
    var nextOpening: Instant? { waiting.last?.opens }

    var oldestBeginning: Instant? { running.values.map(\.begunAt).min() }

    /// All held jobs, in any stage.
    var jobs: [Job.ID] { waiting.map(\.job.id) + running.keys + saving }

    mutating func add(_ calls: [Waiting]) {
        waiting += calls
        // The soonest is last, where removing it is cheap.
        waiting.sort { $0.opens > $1.opens }
    }

    /// Removes and returns the calls that may start now.
    mutating func takeDue(_ now: Instant) -> [Waiting] {
        let rest = waiting.firstIndex { $0.opens <= now } ?? waiting.endIndex
        defer { waiting.removeSubrange(rest...) }
        return waiting[rest...].reversed()
    }

    /// Removes and returns the waiting calls: all, or those that have no slot, or a slot that opens after `instant`.
    mutating func takeWaiting(after instant: Instant? = nil) -> [Waiting] {
        let isLater = { (call: Waiting) in call.closes == nil || instant.map { call.opens > $0 } ?? true }
        defer { waiting.removeAll(where: isLater) }
        return waiting.filter(isLater)
    }

    mutating func begin(_ job: Job, at instant: Instant, _ departure: Departure) {
        running[job.id] = Running(job: job, begunAt: instant, departure: departure)
    }

    /// Removes and returns a call that ended; nil if it was given up before. The same job may have another call by then.
    mutating func end(_ job: Job.ID, _ departure: Departure) -> Running? {
        running[job]?.departure === departure ? running.removeValue(forKey: job) : nil
    }

    /// Removes and returns the calls that began before `instant`.
    mutating func takeOverdue(begunBefore instant: Instant) -> [Running] {
        let overdue = running.values.filter { $0.begunAt < instant }
        for call in overdue { running[call.job.id] = nil }
        return overdue
    }

    mutating func save(_ job: Job.ID) { saving.insert(job) }
    mutating func saved(_ jobs: [Job.ID]) { saving.subtract(jobs) }
}
