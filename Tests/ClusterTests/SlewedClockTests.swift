import Testing

@testable import Cluster
@testable import Queue

/// Six workers in one lane, which start at different times, with a simulated database whose clock is slewed. The true time is the workers'.
private struct Slew {
    static let origin = ContinuousClock.now
    private static func instant(_ time: Double) -> ContinuousClock.Instant { origin + .seconds(time) }

    let limit: RateLimit
    /// The clock gains this many seconds in each second of a time.
    let slews: [(gain: Double, time: ClosedRange<Double>)]
    /// The share of round trips that take up to 40 ms instead of 0.2.
    let slow: Double
    /// Times in which the database does not answer.
    var outages: [ClosedRange<Double>] = []
    var random: SeededGenerator

    // The database.
    var buckets: [LimitState]
    var filledAt: Double
    var (epoch, rate) = (0, 0.0)
    var steps: [ClockStep] = []

    // The workers, and the calls: true times, and moments of the log.
    static let starts = [0.0, 0.1, 15, 20, 30, 75.3]
    var clocks = starts.map { _ in ServerClock(origin: origin) }
    var coordinator = ServerClock(origin: origin)
    var pending: [[(at: Double, told: Double, epoch: Int)]] = starts.map { _ in [] }
    var (calls, log): ([Double], [Double]) = ([], [])

    init(_ limit: RateLimit, _ slews: [(gain: Double, time: ClosedRange<Double>)], slow: Double = 0, seed: UInt64) {
        (self.limit, self.slews, self.slow) = (limit, slews, slow)
        random = SeededGenerator(seed)
        buckets = [LimitState(limit, grace: .milliseconds(10), fullIn: 0)]
        filledAt = 0
        filledAt = shown(at: 0)
    }

    /// The database's clock.
    func shown(at time: Double) -> Double {
        slews.reduce(1_000 + time) { $0 + $1.gain * max(0, min(time, $1.time.upperBound) - $1.time.lowerBound) }
    }

    mutating func run(for seconds: Double) {
        var (next, nextRound) = (Self.starts, 0.0)
        while let (worker, time) = next.enumerated().min(by: { $0.1 < $1.1 }), time < seconds {
            if let outage = outages.first(where: { $0.contains(time) }) {
                next[worker] = outage.upperBound + .random(in: 0.001...0.02, using: &random)
                continue
            }
            // A worker that starts waits for the round of a coordinator, which knows the clock.
            if time >= nextRound || clocks[worker].epoch == nil {
                var clock = coordinator
                _ = check(&clock, at: time, isDoubtful: true)
                coordinator = clock
                nextRound = time + 1
            }
            report(worker, until: time)
            claim(worker, at: time)
            next[worker] = time + .random(in: 0.1...0.7, using: &random)
        }
        for worker in clocks.indices { report(worker, until: .infinity) }
    }

    /// Returns when the reply has come.
    private mutating func read(_ clock: inout ServerClock, at time: Double) -> Double {
        let isSlow = Double.random(in: 0...1, using: &random) < slow
        let trip = isSlow ? Double.random(in: 0.0002...0.04, using: &random) : 0.0002
        let shown = shown(at: time + .random(in: 0...trip, using: &random))
        clock.learn(
            sent: Self.instant(time), answered: Self.instant(time + trip), shown: .seconds(shown), epoch: epoch,
            rate: rate, steps: Array(steps.dropFirst(clock.epoch ?? steps.count)))
        return time + trip
    }

    /// Measures the clock until its bounds are narrow, and announces a change. Returns when that is done. A coordinator
    /// doubts the clock in each round.
    private mutating func check(_ clock: inout ServerClock, at start: Double, isDoubtful: Bool = false) -> Double {
        var time = start
        // A claim is refused if the clock is not as expected.
        let isExpected = clock.expected(at: Self.instant(time), usual: .zero).map {
            $0.epoch == epoch && ($0.earliest...$0.latest).contains(shown(at: time))
        }
        func isWide() -> Bool { (clock.width(at: Self.instant(time)) ?? .seconds(1)) > .milliseconds(1) }
        if isDoubtful || isExpected != true || isWide() { time = read(&clock, at: time) }
        // The lane's uncertainty, which pays for wide bounds, is not simulated.
        while isWide() { time = read(&clock, at: time) }
        if let step = clock.step {
            announce(step / .seconds(1), clock.newRate, at: time)
            repeat { time = read(&clock, at: time) } while isWide()
        }
        return time
    }

    private mutating func claim(_ worker: Int, at start: Double) {
        var clock = clocks[worker]
        let time = check(&clock, at: start)
        clock.widen(to: Self.instant(time))
        fill(to: shown(at: time))
        let slots = buckets.takeSlots(.random(in: 1...max(8, Int(limit.perSecond * 1.5)), using: &random), lead: 0.005)
        for start in slots.starts {
            let opening = clock.opening(.seconds(shown(at: time) + start))
            let call = Self.origin.duration(to: opening) / .seconds(1) + .random(in: 0...0.004, using: &random)
            pending[worker].append((call, clock.shown(at: Self.instant(call)) / .seconds(1), clock.epoch ?? 0))
        }
        clocks[worker] = clock
    }

    /// As the SQL functions `slew_clock` and `clock_pace`.
    private mutating func announce(_ step: Double, _ newRate: Double, at time: Double) {
        fill(to: shown(at: time))
        let beyond = max(0, buckets[0].fullIn - (newRate < rate ? 4 : 0))
        let full = buckets[0].fullIn + max(0, step) + beyond * ((newRate - rate) / (1 + rate))
        buckets = [LimitState(limit, pace: 1 / (1 + newRate), grace: .milliseconds(10), fullIn: full)]
        (epoch, rate) = (epoch + 1, newRate)
        steps.append(ClockStep(noticedAt: .seconds(shown(at: time)), size: .seconds(step), rate: newRate, age: .zero))
    }

    private mutating func fill(to moment: Double) {
        buckets.wait(moment - filledAt)
        filledAt = moment
    }

    /// Logs calls that left before `time`, as the claim's clock and `logged_moment` date them.
    private mutating func report(_ worker: Int, until time: Double) {
        for call in pending[worker] where call.at < time {
            calls.append(call.at)
            let known = call.epoch
            var moment = call.told
            func faster(_ place: Int) -> Double {
                (1 + steps[place].rate) / (1 + (place > 0 ? steps[place - 1].rate : 0))
            }
            for place in steps.indices.prefix(known).reversed() {
                let (noticed, size) = (steps[place].noticedAt / .seconds(1), steps[place].size / .seconds(1))
                if moment >= noticed { break }
                moment = noticed - size - (noticed - moment) / faster(place)
            }
            for place in steps.indices.dropFirst(known) {
                let (noticed, size) = (steps[place].noticedAt / .seconds(1), steps[place].size / .seconds(1))
                if moment <= noticed - size { break }
                moment = noticed + (moment - noticed + size) * faster(place)
            }
            log.append(moment)
        }
        pending[worker].removeAll { $0.at < time }
    }

    /// The audit of the true times, and of the log.
    var audits: (recorder: LimitAudit, log: LimitAudit) {
        var (recorder, audit) = (CallAudit(of: [limit]), CallAudit(of: [limit]))
        for call in calls.sorted() { recorder.add(call) }
        var timeline = SteppedTimeline(steps, since: 0)
        for moment in log.sorted() { timeline.add(moment, to: &audit) }
        return (recorder.limits[0], audit.limits[0])
    }
}

private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

struct SlewedClockTests {
    private static let gains = [500.0, 2_600, 3_000, -3_000, 10_000, 83_333]

    @Test(arguments: gains, ["50/s:burst=3", "20/s", "300/s:burst=30"])
    func `a slewed clock exceeds no limit, the audit agrees, and the lane is used`(
        _ partsPerMillion: Double, _ text: String
    ) throws {
        let limit = try #require(RateLimit(text: text))
        for seed in 1...10 as ClosedRange<UInt64> {
            var slew = Slew(limit, [(partsPerMillion / 1e6, 10...70)], seed: seed)
            slew.run(for: 90)
            let (recorder, log) = slew.audits
            #expect(recorder.excess <= limit.perSecond * 0.001, "seed \(seed)")
            #expect(!log.isExceeded, "seed \(seed): \(log.excess)")
            #expect(log.excess - recorder.excess < limit.perSecond * 0.003, "seed \(seed): \(log.excess)")
            #expect(recorder.usedShare > 0.99, "seed \(seed)")
            // A step of the clock for each millisecond would be 5,000 epochs.
            #expect(slew.steps.count < 50, "seed \(seed)")
        }
    }

    @Test(arguments: ["50/s:burst=3", "20/s", "300/s:burst=30"], [0.0, 0.2])
    func `slews one after another, with slow round trips, exceed no limit`(_ text: String, _ slow: Double) throws {
        let limit = try #require(RateLimit(text: text))
        // Slow round trips take 40 ms, in which the fastest slew gains 3.
        let error = slow > 0 ? 0.005 : 0.003
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed)
            var (slews, begin) = ([(gain: Double, time: ClosedRange<Double>)](), 5.0)
            while begin < 70 {
                let gain = Self.gains.randomElement(using: &random) ?? 0
                let end = begin + .random(in: 1...8, using: &random)
                slews.append((gain / 1e6, begin...end))
                begin = end + .random(in: 0.2...5, using: &random)
            }
            var slew = Slew(limit, slews, slow: slow, seed: seed)
            slew.run(for: 90)
            let (recorder, log) = slew.audits
            #expect(recorder.excess <= limit.perSecond * 0.001, "seed \(seed)")
            #expect(log.excess - max(0, recorder.excess) < limit.perSecond * error, "seed \(seed): \(log.excess)")
            #expect(recorder.usedShare > 0.95, "seed \(seed): \(recorder.usedShare)")
            #expect(slew.steps.count < 200, "seed \(seed): \(slew.steps.count)")
        }
    }

    /// While the database is frozen nobody reads its clock, so a small step looks like a fast slew until the next reading.
    @Test(arguments: ["50/s:burst=3", "20/s", "300/s:burst=30"], [0.0, 0.2])
    func `a clock that is set by a little during outages exceeds no limit`(_ text: String, _ slow: Double) throws {
        let limit = try #require(RateLimit(text: text))
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed)
            let ends = [10.0, 25, 40, 60].map { $0 + .random(in: 0...5, using: &random) }
            let steps = ends.map { (gain: Double.random(in: 10...249, using: &random), time: $0 - 1e-3...$0) }
            var slew = Slew(limit, steps, slow: slow, seed: seed)
            slew.outages = ends.map { $0 - .random(in: 0.2...4, using: &random)...$0 }
            slew.run(for: 90)
            let (recorder, log) = slew.audits
            #expect(recorder.excess <= limit.perSecond * 0.001, "seed \(seed)")
            #expect(log.excess - max(0, recorder.excess) < limit.perSecond * 0.003, "seed \(seed): \(log.excess)")
            #expect(slew.steps.allSatisfy { $0.rate == 0 }, "seed \(seed): \(slew.steps)")
        }
    }

    /// A process reads the clock slowly after another one has announced a small step back.
    @Test(arguments: [0.05, 0.2], [6.0, 100, 249])
    func `a slow reply does not announce a step back once more`(_ trip: Double, _ milliseconds: Double) {
        var clock = ServerClock(origin: Slew.origin)
        var (sent, steps) = (Slew.origin, [ClockStep]())
        func read(_ trip: Double, _ shown: Double) {
            let (epoch, answered) = (steps.count, sent + .seconds(trip))
            let new = Array(steps.dropFirst(clock.epoch ?? epoch))
            clock.learn(sent: sent, answered: answered, shown: .seconds(shown), epoch: epoch, steps: new)
            sent = answered + .milliseconds(100)
        }
        func now() -> Double { 1_000 + Slew.origin.duration(to: sent) / .seconds(1) }
        read(0.0002, now())
        let back = milliseconds / 1_000
        steps = [ClockStep(noticedAt: .seconds(now() - back), size: .seconds(-back), age: .zero)]
        read(trip, now() + trip - back)
        for _ in 1...3 {
            read(0.0002, now() - back)
            #expect(clock.step == nil)
        }
    }
}
