import Queue

/// A question on its way along the chain.
struct SimulatedQuestion {
    let way: Int
    var calls = 0
}

/// One call that waits or runs. Without questions it belongs to other work, and only takes time.
struct SimulatedJob {
    let questions: [SimulatedQuestion]
    var failures = 0
    /// The call was not made: its slot passed unused.
    var isMissed = false
}

/// The jobs that a worker holds in a lane.
struct SimulatedHand {
    let capacity: Int
    var held = 0
    var ended: [SimulatedJob] = []
    var isClaiming = false
    var isWriting = false
    /// When the worker looks next; infinity if no look is planned.
    var plannedLook = Double.infinity
    /// The lane has as many calls as it may have at once, and other workers hold some of them.
    var isKeptByOthers = false
    /// The earliest time of the next claim; infinity to wait for an enqueue.
    var lookAt = 0.0

    var room: Int { capacity - held }
}

/// A queue: first in, first out.
struct JobLine {
    private var jobs: [SimulatedJob] = []
    private var taken = 0

    var count: Int { jobs.count - taken }

    mutating func add(_ job: SimulatedJob) { jobs.append(job) }

    mutating func take() -> SimulatedJob {
        defer {
            taken += 1
            if taken > 10_000, taken * 2 > jobs.count {
                jobs.removeFirst(taken)
                taken = 0
            }
        }
        return jobs[taken]
    }
}

struct SimulatedLane {
    let plan: Scenario.Lane
    var ready = JobLine()
    /// Held by all workers together.
    var held = 0
    private var limits: [LimitState]
    /// The moment of `limits`.
    private var moment = 0.0
    private var lastWorker: Int?
    /// When the machine is free, if calls share it.
    private var freeAt = 0.0

    init(_ plan: Scenario.Lane) {
        self.plan = plan
        limits = plan.outlook.limits
    }

    mutating func enqueue(_ questions: [SimulatedQuestion]) {
        var rest = questions[...]
        while !rest.isEmpty {
            ready.add(SimulatedJob(questions: Array(rest.prefix(plan.outlook.batch))))
            rest = rest.dropFirst(plan.outlook.batch)
        }
    }

    /// Takes slots at absolute moments. If there are fewer than wanted, `lookAt` is when to look again.
    mutating func takeSlots(
        _ wanted: Int, for worker: Int, at now: Double, lead: Double
    ) -> (starts: [Double], lookAt: Double) {
        guard !limits.isEmpty else { return (Array(repeating: now, count: wanted), now) }
        limits.wait(now - moment)
        moment = now
        let isOther = lastWorker.map { $0 != worker } ?? false
        let slots = limits.takeSlots(wanted, lead: lead, isOther: isOther)
        if !slots.starts.isEmpty { lastWorker = worker }
        // The pause of workers that look once a second. A longer wait is one step, or a plan of a year takes minutes.
        let wait = slots.next - [LimitState].horizon()
        let pause = wait > 3_600 ? wait : min(max(wait, 0.5), 5)
        return (slots.starts.map { now + $0 }, now + pause)
    }

    mutating func end(ofCallAt start: Double, subjects: Int, using random: inout Randomness) -> Double {
        switch plan.times {
        case .sample(let times): return start + times[Int.random(in: times.indices, using: &random)]
        case .shared(let rate):
            freeAt = max(freeAt, start) + Double(subjects) / rate
            return freeAt
        }
    }
}
