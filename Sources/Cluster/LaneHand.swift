import HTTP
import Queue

/// What a worker holds of one lane, and what it has room for.
///
/// A place is taken from the claim until the database has acknowledged the result, so that a slow database slows the
/// claims and not the memory.
struct LaneHand {
    typealias Instant = ContinuousClock.Instant

    /// A call whose slot has yet to come.
    struct Waiting: Sendable {
        let job: Job
        let question: ErasedWork.Question
        let opens: Instant
        /// Later than this the slot is void; nil where nothing limits the lane.
        let closes: Instant?
    }

    struct Running {
        let job: Job
        let begunAt: Instant
        let departure: Departure
        let call: Task<Void, Never>
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

    /// When the next slot comes.
    var nextOpening: Instant? { waiting.last?.opens }

    var oldestBeginning: Instant? { running.values.map(\.begunAt).min() }

    /// All that is held, in any stage.
    var jobs: [Job.ID] { waiting.map(\.job.id) + running.keys + saving }

    mutating func take(_ calls: [Waiting]) {
        waiting += calls
        // The soonest last, where it is cheap to take away.
        waiting.sort { $0.opens > $1.opens }
    }

    /// Takes out the calls that may start by now.
    mutating func takeDue(_ now: Instant) -> [Waiting] {
        let rest = waiting.firstIndex { $0.opens <= now } ?? waiting.endIndex
        defer { waiting.removeSubrange(rest...) }
        return waiting[rest...].reversed()
    }

    /// Takes out all that wait.
    mutating func takeWaiting() -> [Waiting] {
        defer { waiting = [] }
        return waiting
    }

    mutating func begin(_ job: Job, at instant: Instant, _ departure: Departure, _ call: Task<Void, Never>) {
        running[job.id] = Running(job: job, begunAt: instant, departure: departure, call: call)
    }

    /// Removes a call that ended; nil when it was given up before.
    mutating func end(_ job: Job.ID) -> Running? { running.removeValue(forKey: job) }

    /// Takes out the calls that began before `instant`.
    mutating func takeOverdue(begunBefore instant: Instant) -> [Running] {
        let overdue = running.values.filter { $0.begunAt < instant }
        for call in overdue { running[call.job.id] = nil }
        return overdue
    }

    mutating func save(_ job: Job.ID) { saving.insert(job) }
    mutating func saved(_ jobs: [Job.ID]) { saving.subtract(jobs) }
}
