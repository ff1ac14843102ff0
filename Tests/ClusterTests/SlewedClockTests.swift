import Testing

@testable import Cluster
@testable import Queue

/// Two workers in one lane, with a simulated database whose clock is slewed. The true time is the workers'.
private struct Slew {
    static let origin = ContinuousClock.now
    private static func instant(_ time: Double) -> ContinuousClock.Instant { origin + .seconds(time) }

    let limit: RateLimit
    /// The clock gains this many seconds in each second of this time.
    let gain: Double
    let slewed: ClosedRange<Double>
    var random: SeededGenerator

    // The database.
    var buckets: [LimitState]
    var filledAt: Double
    var (epoch, rate) = (0, 0.0)
    var steps: [ClockStep] = []

    // The two workers, and the calls: true times, and moments of the log.
    var clocks = [ServerClock(origin: origin), ServerClock(origin: origin)]
    var pending: [[(at: Double, told: Double, epoch: Int)]] = [[], []]
    var (calls, log): ([Double], [Double]) = ([], [])

    init(_ limit: RateLimit, gain: Double, in slewed: ClosedRange<Double>, seed: UInt64) {
        (self.limit, self.gain, self.slewed) = (limit, gain, slewed)
        random = SeededGenerator(seed)
        buckets = [LimitState(limit, grace: .milliseconds(10), fullIn: 0)]
        filledAt = 0
        filledAt = shown(at: 0)
    }

    /// The database's clock.
    func shown(at time: Double) -> Double {
        1_000 + time + gain * max(0, min(time, slewed.upperBound) - slewed.lowerBound)
    }

    mutating func run(for seconds: Double) {
        var next = [0.0, 0.1]
        while let (worker, time) = next.enumerated().min(by: { $0.1 < $1.1 }), time < seconds {
            report(worker, until: time)
            claim(worker, at: time)
            next[worker] = time + .random(in: 0.1...0.7, using: &random)
        }
        for worker in 0...1 { report(worker, until: .infinity) }
    }

    /// A round trip of 0.2 ms.
    private mutating func read(_ clock: inout ServerClock, at time: Double, ownStep: Bool = false) {
        let shown = shown(at: time + .random(in: 0...0.0002, using: &random))
        clock.learn(
            sent: Self.instant(time), answered: Self.instant(time + 0.0002), shown: .seconds(shown), epoch: epoch,
            rate: rate, steps: ownStep ? [] : Array(steps.dropFirst(clock.epoch ?? steps.count)))
    }

    private mutating func claim(_ worker: Int, at time: Double) {
        var clock = clocks[worker]
        // A claim is refused if the clock is not as expected.
        let isExpected = clock.expected(at: Self.instant(time), usual: .zero).map {
            $0.epoch == epoch && ($0.earliest...$0.latest).contains(shown(at: time))
        }
        if isExpected != true || (clock.width(at: Self.instant(time)) ?? .seconds(1)) > .milliseconds(1) {
            read(&clock, at: time)
        }
        if let step = clock.step {
            announce(step / .seconds(1), clock.newRate, at: time)
            read(&clock, at: time, ownStep: true)
        }
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
    @Test(arguments: [500.0, 2_600, 3_000, -3_000, 10_000, 83_333], ["50/s:burst=3", "20/s", "300/s:burst=30"])
    func `a slewed clock exceeds no limit, the audit agrees, and the lane is used`(
        _ partsPerMillion: Double, _ text: String
    ) throws {
        let limit = try #require(RateLimit(text: text))
        for seed in 1...10 as ClosedRange<UInt64> {
            var slew = Slew(limit, gain: partsPerMillion / 1e6, in: 10...70, seed: seed)
            slew.run(for: 90)
            let (recorder, log) = slew.audits
            #expect(recorder.excess <= limit.perSecond * 0.001, "seed \(seed)")
            #expect(!log.isExceeded, "seed \(seed): \(log.excess)")
            #expect(log.excess - recorder.excess < limit.perSecond * 0.003, "seed \(seed): \(log.excess)")
            #expect(recorder.usedShare > 0.99, "seed \(seed)")
            // A step of the clock for each millisecond would be 5,000 epochs.
            #expect(slew.steps.count < 30, "seed \(seed)")
        }
    }
}
