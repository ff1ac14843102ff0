import HTTP
import Queue

/// The jobs that a worker holds in one lane, and its room for more.
///
/// A job takes a place from the claim until the end of its call. As many results again may wait for the database, so that
/// the next jobs are claimed meanwhile. With more than that, a slow database slows the claims instead of filling the
/// memory. A result that may halt the lane keeps its place until it is stored, so that not many calls follow a complaint.
struct LaneHand {
    typealias Instant = ContinuousClock.Instant

    /// A claimed job and its call. A class, because a job's many parts would be copied at each step.
    final class Call: Sendable {
        let job: Job
        let question: ErasedWork.Question
        let departure: Departure
        /// The epoch of the database's clock at the claim, and the clock's time and rate when the slot opens. The log
        /// dates the call by them: by what its slot was charged for, whatever the clock did later.
        let epoch: Int?
        private let opening: Duration
        private let rate: Double

        init(
            job: Job, question: ErasedWork.Question, opens: Instant, closes: Instant?, by clock: ServerClock = .init()
        ) {
            self.job = job
            self.question = question
            departure = Departure(opens: opens, closes: closes)
            (epoch, opening, rate) = (clock.epoch, clock.shown(at: opens), clock.rate)
        }

        /// Returns the time of the database's clock when the call left, since 1970.
        func shown(at left: Instant) -> Duration {
            let late = departure.opens.duration(to: left)
            return opening + late + late * rate
        }
    }

    let capacity: Int
    /// The calls whose slots are still to come, the soonest last, where removing it is cheap.
    private(set) var waiting: [Call] = []
    private(set) var running: [Job.ID: (call: Call, begunAt: Instant)] = [:]
    /// In the order in which their calls ended. They are stored in this order too.
    private(set) var saving: [(job: Job.ID, keepsPlace: Bool)] = []
    private var keptPlaces = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many jobs there are in all stages.
    var count: Int { waiting.count + running.count + saving.count }

    var room: Int { min(capacity - waiting.count - running.count - keptPlaces, 2 * capacity - count) }

    var isEmpty: Bool { count == 0 }

    /// When the next slot opens.
    var nextOpening: Instant? { waiting.last?.departure.opens }

    var oldestBeginning: Instant? { running.values.map(\.begunAt).min() }

    /// All held jobs, in any stage.
    var jobs: [Job.ID] { waiting.map(\.job.id) + running.keys + saving.map(\.job) }

    mutating func add(_ calls: [Call]) {
        waiting += calls
        waiting.sort { $0.departure.opens > $1.departure.opens }
    }

    /// Removes and returns the calls that may start now.
    mutating func takeDue(_ now: Instant) -> [Call] {
        let rest = waiting.firstIndex { $0.departure.opens <= now } ?? waiting.endIndex
        defer { waiting.removeSubrange(rest...) }
        return waiting[rest...].reversed()
    }

    /// Removes and returns the waiting calls: all, or those that have no slot, or a slot that opens after `instant`.
    mutating func takeWaiting(after instant: Instant? = nil) -> [Call] {
        let isLater = { (call: Call) in
            call.departure.closes == nil || instant.map { call.departure.opens > $0 } ?? true
        }
        defer { waiting.removeAll(where: isLater) }
        return waiting.filter(isLater)
    }

    mutating func begin(_ call: Call, at instant: Instant) {
        running[call.job.id] = (call, instant)
    }

    /// Removes and returns a call that ended; nil if it was given up before. The same job may have another call by then.
    mutating func end(_ job: Job.ID, _ departure: Departure) -> Call? {
        guard let place = running.index(forKey: job), running[place].value.call.departure === departure else {
            return nil
        }
        return running.remove(at: place).value.call
    }

    /// Removes and returns the calls that began before `instant`.
    mutating func takeOverdue(begunBefore instant: Instant) -> [Call] {
        let overdue = running.values.filter { $0.begunAt < instant }.map(\.call)
        for call in overdue { running[call.job.id] = nil }
        return overdue
    }

    mutating func save(_ job: Job.ID, keepsPlace: Bool) {
        saving.append((job, keepsPlace))
        if keepsPlace { keptPlaces += 1 }
    }

    mutating func saved(_ jobs: [Job.ID]) {
        keptPlaces -= saving.prefix(jobs.count).count { $0.keepsPlace }
        saving.removeFirst(jobs.count)
    }
}
