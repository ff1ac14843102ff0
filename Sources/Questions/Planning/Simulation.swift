import Queue

/// Simulates a scenario without a server and without waiting: a day of a lane takes milliseconds.
///
/// It does the same as workers and `claim_jobs`. A worker claims for its free places. A claim gives slots up to two
/// seconds ahead, charged to every limit at the moment of the slot. A call begins with its slot, and its place is free
/// again when the result is stored. A question that goes on is enqueued again, in the next lane. The simulation leaves
/// out what can't be predicted: outages, complaints of providers, and later work of other users.
struct Simulation {
    enum Event {
        case look(worker: Int, lane: Int)
        case claimed(worker: Int, lane: Int)
        case ended(worker: Int, lane: Int, job: SimulatedJob)
        case written(worker: Int, lane: Int, jobs: [SimulatedJob])
        case due(lane: Int, job: SimulatedJob)
    }

    private let scenario: Scenario
    private var random: Randomness
    private var events = EventQueue<Event>()
    private var now = 0.0
    private var lanes: [SimulatedLane]
    /// By worker, then by lane.
    private var hands: [[SimulatedHand]]
    private var ways: [[Int]] = []
    private var open: Int
    private let total: Int
    private var run: SimulatedRun

    init(_ scenario: Scenario) {
        self.scenario = scenario
        random = Randomness(seed: scenario.seed)
        lanes = scenario.lanes.map(SimulatedLane.init)
        hands = Array(
            repeating: scenario.lanes.map {
                SimulatedHand(capacity: min(scenario.callsAtOnce, $0.callsPerWorker ?? .max))
            }, count: scenario.workers)
        total = scenario.work.map(\.count).reduce(0, +)
        open = total
        run = SimulatedRun(lanes: scenario.lanes.map { SimulatedRun.Lane(name: $0.name) })
    }

    consuming func result() -> SimulatedRun {
        enqueueWork()
        for lane in lanes.indices where !lanes[lane].plan.outlook.isPaused {
            for worker in hands.indices { look(worker, lane, at: lanes[lane].plan.outlook.blockedSeconds) }
        }
        while open > 0, let (moment, event) = events.next() {
            now = moment
            take(event)
        }
        run.seconds = open == 0 ? now : nil
        return run
    }

    private mutating func enqueueWork() {
        for (index, lane) in scenario.lanes.enumerated() {
            // A longer backlog is not simulated: the plan says that the work takes very long.
            for _ in 0..<min(lane.outlook.waiting, 10_000_000) { lanes[index].ready.add(SimulatedJob(questions: [])) }
        }
        for (sample, count) in scenario.work where !sample.ways.isEmpty {
            let first = ways.count
            ways += sample.ways.shuffled(using: &random)
            var questions: [Int: [SimulatedQuestion]] = [:]
            // In turn, so that each way gets the same number as in the sample.
            for number in 0..<count {
                let way = first + number % sample.ways.count
                questions[ways[way][0], default: []].append(SimulatedQuestion(way: way))
            }
            for (lane, questions) in questions.sorted(by: { $0.key < $1.key }) { lanes[lane].enqueue(questions) }
        }
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .look(let worker, let lane):
            if hands[worker][lane].plannedLook <= now { hands[worker][lane].plannedLook = .infinity }
            claim(worker, lane)
        case .claimed(let worker, let lane):
            hands[worker][lane].isClaiming = false
            claim(worker, lane)
        case .ended(let worker, let lane, let job):
            hands[worker][lane].ended.append(job)
            write(worker, lane)
        case .written(let worker, let lane, let jobs):
            hands[worker][lane].isWriting = false
            hands[worker][lane].held -= jobs.count
            lanes[lane].held -= jobs.count
            for job in jobs { end(job, in: lane) }
            if hands[worker][lane].isKeptByOthers { hands[worker][lane].lookAt = now }
            write(worker, lane)
            claim(worker, lane)
        case .due(let lane, let job):
            lanes[lane].ready.add(job)
            wake(lane)
        }
    }

    /// Claims like `LaneLoop.claim` and `claim_jobs`.
    private mutating func claim(_ worker: Int, _ lane: Int) {
        let hand = hands[worker][lane]
        guard !hand.isClaiming, hand.room > 0, hand.lookAt <= now else {
            if hand.lookAt > now, hand.lookAt < .infinity { look(worker, lane, at: hand.lookAt) }
            return
        }
        // A write that is under way will soon make more room.
        if hand.isWriting, hand.room * 2 < hand.capacity { return }
        hands[worker][lane].isKeptByOthers = false
        let free = lanes[lane].plan.callsAtOnce.map { max(0, $0 - lanes[lane].held) } ?? .max
        let wanted = min(hand.room, free, lanes[lane].ready.count)
        guard wanted > 0 else {
            hands[worker][lane].isKeptByOthers = free == 0
            hands[worker][lane].lookAt = free == 0 ? now + 0.25 : .infinity
            if free == 0 { look(worker, lane, at: now + 0.25) }
            return
        }
        let slots = lanes[lane].takeSlots(wanted, for: worker, at: now, lead: scenario.costs.claim)
        for start in slots.starts {
            begin(lanes[lane].ready.take(), worker, lane, at: max(now + scenario.costs.claim, start))
        }
        hands[worker][lane].held += slots.starts.count
        lanes[lane].held += slots.starts.count
        hands[worker][lane].isClaiming = true
        hands[worker][lane].lookAt = slots.starts.count < wanted ? slots.lookAt : now
        events.add(.claimed(worker: worker, lane: lane), at: now + scenario.costs.claim)
    }

    private mutating func begin(_ job: SimulatedJob, _ worker: Int, _ lane: Int, at start: Double) {
        let missed = lanes[lane].plan.missedSlots
        if missed > 0, Double.random(in: 0..<1, using: &random) < missed {
            var job = job
            job.isMissed = true
            return events.add(.ended(worker: worker, lane: lane, job: job), at: start)
        }
        let subjects = max(1, job.questions.count)
        let end = lanes[lane].end(ofCallAt: start, subjects: subjects, using: &random)
        run.lanes[lane].busy += end - start
        run.lanes[lane].lastEnd = max(run.lanes[lane].lastEnd, end)
        if job.questions.isEmpty { run.lanes[lane].othersCalls += 1 } else { run.lanes[lane].calls += 1 }
        run.lanes[lane].subjects += job.questions.count
        events.add(.ended(worker: worker, lane: lane, job: job), at: end)
    }

    /// Writes ended jobs. Jobs that end during a write are written by the next one.
    private mutating func write(_ worker: Int, _ lane: Int) {
        guard !hands[worker][lane].isWriting, !hands[worker][lane].ended.isEmpty else { return }
        let jobs = hands[worker][lane].ended
        hands[worker][lane].ended = []
        hands[worker][lane].isWriting = true
        let subjects = jobs.map(\.questions.count).reduce(0, +)
        events.add(
            .written(worker: worker, lane: lane, jobs: jobs),
            at: now + scenario.costs.record + scenario.costs.recordSubject * Double(subjects))
    }

    private mutating func end(_ job: SimulatedJob, in lane: Int) {
        let plan = lanes[lane].plan
        if job.isMissed {
            var job = job
            job.isMissed = false
            lanes[lane].ready.add(job)
            return wake(lane)
        }
        if plan.faults > 0, Double.random(in: 0..<1, using: &random) < plan.faults {
            var again = job
            again.failures += 1
            let bound = plan.retryWait.bound(after: job.failures) / .seconds(1)
            return events.add(.due(lane: lane, job: again), at: now + .random(in: 0...bound, using: &random))
        }
        var onward: [Int: [SimulatedQuestion]] = [:]
        for var question in job.questions {
            question.calls += 1
            let way = ways[question.way]
            if question.calls < way.count {
                onward[way[question.calls], default: []].append(question)
            } else {
                open -= 1
                if open == total - (total + 1) / 2 { run.halfAfter = now }
                if open == total / 10 { run.nineTenthsAfter = now }
            }
        }
        for (next, questions) in onward.sorted(by: { $0.key < $1.key }) {
            lanes[next].enqueue(questions)
            wake(next)
        }
    }

    /// Simulates a notification: workers that found the lane empty look for jobs.
    private mutating func wake(_ lane: Int) {
        guard !lanes[lane].plan.outlook.isPaused else { return }
        for worker in hands.indices where hands[worker][lane].lookAt == .infinity {
            look(worker, lane, at: now + 0.001)
        }
    }

    private mutating func look(_ worker: Int, _ lane: Int, at moment: Double) {
        hands[worker][lane].lookAt = moment
        guard moment < hands[worker][lane].plannedLook else { return }
        hands[worker][lane].plannedLook = moment
        events.add(.look(worker: worker, lane: lane), at: moment)
    }
}

/// Random numbers that are the same for the same seed, so that the same plan gives the same result: SplitMix64.
struct Randomness: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
