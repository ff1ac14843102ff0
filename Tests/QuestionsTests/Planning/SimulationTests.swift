import Queue
import Testing

@testable import Questions

struct SimulationTests {
    private func lane(
        _ name: String = "nominatim", _ limits: String..., batch: Int = 1, call: Duration = .milliseconds(100)
    ) -> Scenario.Lane {
        let limits = limits.compactMap { RateLimit(text: $0) }.map { LimitState($0, fullIn: 0) }
        return Scenario.Lane(LaneOutlook(name, batch: batch, limits: limits), times: .always(call))
    }

    private func run(
        _ count: Int, _ ways: [[Int]] = [[0]], in lanes: Scenario.Lane..., workers: Int = 1, callsAtOnce: Int = 16
    ) -> SimulatedRun {
        Simulation(scenario(count, ways, lanes, workers, callsAtOnce)).result()
    }

    private func scenario(
        _ count: Int, _ ways: [[Int]], _ lanes: [Scenario.Lane], _ workers: Int, _ callsAtOnce: Int
    ) -> Scenario {
        var scenario = Scenario(
            lanes: lanes, work: [(way: WaySample(ways), count: count)], workers: workers, callsAtOnce: callsAtOnce)
        // These tests are not about the database's time.
        scenario.costs.claim = 0
        scenario.costs.record = 0
        scenario.costs.recordSubject = 0
        return scenario
    }

    private func expect(_ seconds: Double?, near expected: Double, within share: Double = 0.01) {
        guard let seconds else {
            Issue.record("it never ends")
            return
        }
        #expect(abs(seconds - expected) <= share * expected, "\(seconds) is not \(expected)")
    }

    @Test func `in a limited lane, the first call is made at once and the others when permitted`() {
        expect(run(101, in: lane("nominatim", "10/s:burst=1")).seconds, near: 10.1)
        expect(run(3_000, in: lane("nominatim", "1/s")).seconds, near: 2_999.1)
    }

    @Test func `a burst is used at the beginning and not again`() {
        expect(run(100, in: lane("nominatim", "10/s:burst=50")).seconds, near: 5.1)
    }

    @Test func `the tighter of two limits counts, each over its period`() {
        // The first hundred calls are made at once. Then the daily limit permits one every 864 seconds.
        let seconds = run(200, in: lane("nominatim", "1/s", "100/d:burst=100")).seconds
        expect(seconds, near: 100 * 864 + 0.1, within: 0.002)
    }

    @Test func `without limits, workers run as many calls as they have places`() {
        let lane = lane()
        expect(run(160, in: lane, callsAtOnce: 16).seconds, near: 1)
        expect(run(160, in: lane, workers: 2, callsAtOnce: 16).seconds, near: 0.5)
        expect(run(160, in: lane, callsAtOnce: 4).seconds, near: 4)
    }

    @Test func `the lane's limit of concurrent calls holds for all workers together`() {
        var few = lane()
        few.callsAtOnce = 2
        expect(run(40, in: few, workers: 4).seconds, near: 2, within: 0.1)
        few.callsAtOnce = nil
        few.callsPerWorker = 2
        expect(run(40, in: few, workers: 4).seconds, near: 0.5, within: 0.1)
    }

    @Test func `a call has as many questions as the lane's batch`() {
        let run = run(1_001, in: lane("census", batch: 100), callsAtOnce: 1)
        #expect(run.lanes[0].calls == 11)
        #expect(run.lanes[0].subjects == 1_001)
        expect(run.seconds, near: 1.1)
    }

    @Test func `questions that one lane does not answer go to the next`() {
        let run = run(
            100, [[0, 1], [0]], in: lane("gazetteer"), lane("nominatim", "2/s:burst=1"), callsAtOnce: 100)
        #expect(run.lanes[0].calls == 100)
        #expect(run.lanes[1].calls == 50)
        expect(run.seconds, near: 0.1 + 49 / 2 + 0.1)
    }

    @Test func `the steps of one question run one after the other`() {
        expect(run(1, [[0, 0, 0]], in: lane()).seconds, near: 0.3)
    }

    @Test func `waiting jobs come first and do not count as calls of the plan`() {
        let limits = [LimitState(RateLimit(text: "10/s:burst=1")!, fullIn: 0)]
        let busy = Scenario.Lane(
            LaneOutlook("nominatim", batch: 1, limits: limits, waiting: 50), times: .always(.milliseconds(100)))
        let run = run(51, in: busy)
        #expect(run.lanes[0].calls == 51)
        #expect(run.lanes[0].othersCalls == 50)
        expect(run.seconds, near: 10.1)
    }

    @Test func `a failed call is retried after its wait`() {
        var faulty = lane("nominatim", "10/s:burst=1")
        faulty.faults = 0.2
        let run = run(400, in: faulty)
        #expect((450...550).contains(run.lanes[0].calls))
    }

    @Test(arguments: [0.5, 0.9, 0.99, 0.999, 0.9999])
    func `a retry waits a random share of a bound that doubles up to the longest`(faults: Double) {
        var faulty = lane()
        faulty.faults = faults
        faulty.retryWait = RetryWait(first: .seconds(2), longest: .seconds(60))
        let run = run(1, in: faulty)
        let retries = run.lanes[0].calls - 1
        let longest = (0..<retries).reduce(0.0) { $0 + ($1 < 5 ? 2 * Double(1 << $1) : 60) }
        let waited = (run.seconds ?? 0) - Double(retries + 1) * 0.1
        #expect(waited <= longest + 0.001)
        // More often than an integer can be doubled.
        if faults > 0.999 {
            #expect(retries > 64)
            #expect(abs(waited - longest / 2) < 0.1 * longest)
        }
    }

    @Test func `an unused slot costs its time and no call`() {
        var slow = lane("nominatim", "10/s:burst=1")
        slow.missedSlots = 0.5
        let run = run(400, in: slow)
        #expect(run.lanes[0].calls == 400)
        expect(run.seconds, near: 80, within: 0.15)
    }

    @Test func `a blocked lane begins when the block ends, and a paused one never`() {
        let blocked = Scenario.Lane(
            LaneOutlook("nominatim", batch: 1, blockedSeconds: 60), times: .always(.milliseconds(100)))
        expect(run(1, in: blocked).seconds, near: 60.1)
        let paused = Scenario.Lane(
            LaneOutlook("nominatim", batch: 1, isPaused: true), times: .always(.milliseconds(100)))
        #expect(run(1, in: paused).seconds == nil)
    }

    @Test func `calls of a provider in the worker share the machine`() {
        let gazetteer = Scenario.Lane(
            LaneOutlook("gazetteer", batch: 500), times: .shared(subjectsPerSecond: 10_000))
        expect(run(50_000, in: gazetteer).seconds, near: 5)
        expect(run(50_000, in: gazetteer, workers: 8).seconds, near: 5)
    }

    @Test func `the same plan gives the same result`() {
        let scenario = scenario(500, [[0, 1], [0], [0, 0]], [lane("a", "50/s"), lane("b")], 3, 8)
        #expect(Simulation(scenario).result().seconds == Simulation(scenario).result().seconds)
    }

    @Test func `half of the answers are there after half of the time`() {
        let run = run(1_000, in: lane("nominatim", "10/s:burst=1"))
        expect(run.halfAfter, near: 50, within: 0.02)
        expect(run.nineTenthsAfter, near: 90, within: 0.02)
    }
}
