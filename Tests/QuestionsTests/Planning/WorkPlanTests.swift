import Geocoding
import Queue
import Testing

@testable import Questions

struct WorkPlanTests {
    private func plan(
        _ count: Int, limit: String?, call: Duration, workers: Int = 1, callsAtOnce: Int = 16,
        change: (inout Scenario) -> Void = { _ in }
    ) -> WorkPlan {
        let limits = limit.flatMap { RateLimit(text: $0) }.map { [LimitState($0, fullIn: 0)] } ?? []
        let lane = Scenario.Lane(LaneOutlook("nominatim", batch: 1, limits: limits), times: .always(call))
        let work = [(way: WaySample([[0]]), count: count)]
        var scenario = Scenario(lanes: [lane], work: work, workers: workers, callsAtOnce: callsAtOnce)
        change(&scenario)
        return WorkPlan(scenario, longest: work)
    }

    @Test func `at one call a second, one worker is enough and the limit gives the duration`() {
        let plan = plan(3_000, limit: "1/s", call: .milliseconds(300))
        #expect(plan.bottleneck == .limits(lane: "nominatim"))
        #expect(plan.workersWorthHaving == 1)
        #expect(plan.lanes[0].workers == 1)
    }

    @Test func `the simulation needs as many workers as Little's law gives`() throws {
        // 100 calls a second of half a second each: 50 in flight, and a worker runs 16.
        let plan = plan(5_000, limit: "100/s", call: .milliseconds(500))
        let inFlight = try #require(plan.lanes[0].inFlight)
        #expect(abs(inFlight - 50) < 1)
        #expect(plan.lanes[0].workers == 4)
        #expect(plan.workersWorthHaving == 4)
        #expect(plan.bottleneck == .places(lane: "nominatim"))
        #expect(plan.byWorkers.first?.workers == 1)
    }

    @Test func `a plan names its bottleneck`() {
        #expect(plan(100, limit: nil, call: .seconds(1)).bottleneck == .places(lane: "nominatim"))
        #expect(
            plan(100, limit: nil, call: .seconds(1)) { $0.lanes[0].callsAtOnce = 2 }.bottleneck
                == .callsAtOnce(lane: "nominatim"))
        #expect(plan(1, limit: "100/s", call: .seconds(3)).bottleneck == .calls(lane: "nominatim"))
        let paused = plan(1, limit: nil, call: .seconds(1)) {
            $0.lanes[0].outlook = LaneOutlook("nominatim", batch: 1, isPaused: true)
        }
        #expect(paused.bottleneck == .pause(lane: "nominatim"))
        #expect(paused.byWorkers.isEmpty)
    }

    // MARK: - Ways

    private func load(_ chain: Chain, _ addresses: Int) -> ChainLoad {
        var load = ChainLoad(along: chain)
        for number in 0..<addresses { load.add(Address(street: "\(number) Main St", city: "Reno")) }
        return load
    }

    @Test func `without past answers, a question takes at least one call and at most every step`() {
        let chain = Chain([
            .init("gazetteer", steps: [.structured]), .init("nominatim", steps: [.structured, .freeForm]),
        ])
        let ways = ChainWays(load(chain, 10), terms: [:], answered: [])
        #expect(ways.known == nil)
        #expect(ways.work(.shortest).map(\.count) == [10])
        #expect(Set(ways.work(.shortest)[0].way.ways) == [[0]])
        #expect(Set(ways.work(.longest)[0].way.ways) == [[0, 1, 1]])
    }

    @Test func `recent answers give the expected ways, unless there are too few`() {
        let chain = Chain([.init("gazetteer"), .init("nominatim")])
        let answered =
            Array(repeating: ["gazetteer"], count: 20) + Array(repeating: ["gazetteer", "nominatim"], count: 20)
        let ways = ChainWays(load(chain, 10), terms: [:], answered: answered)
        #expect(ways.known == 40)
        #expect(ways.work(.shortest)[0].way == ways.work(.longest)[0].way)
        #expect(ways.work(.longest)[0].way.ways.count { $0 == [0, 1] } == 20)
        #expect(ChainWays(load(chain, 10), terms: [:], answered: Array(answered.prefix(29))).known == nil)
    }

    @Test func `a link for some countries counts for every question that may be in them`() {
        let chain = Chain([
            .init("gazetteer", steps: [.structured]), .init("ban", countries: ["FR"], steps: [.structured]),
        ])
        var load = load(chain, 30)
        for number in 0..<10 { load.add(Address(street: "\(number) rue X", city: "Lyon", country: "France")) }
        let ways = ChainWays(load, terms: [:], answered: []).work(.longest)[0].way.ways
        #expect(ways.count { $0 == [0, 1] } == 25)
        #expect(ways.count { $0 == [0] } == 75)
    }

    // MARK: - Lengths of calls

    private func call(_ at: Double, _ took: Double, _ subjects: Int = 1, _ outcome: CallOutcome = .done) -> LoggedCall {
        LoggedCall(at: .seconds(at), took: .seconds(took), subjects: subjects, outcome: outcome)
    }

    @Test func `call times come from answered calls, and four are too few`() {
        let calls = [0.1, 0.2, 0.3, 0.4].enumerated().map { call(Double($0), $1) }
        #expect(CallTimes(calls, inWorker: false) == nil)
        let times = CallTimes(calls + [call(5, 0.5), call(6, 9, 1, .retry)], inWorker: false)
        #expect(times == .sample([0.1, 0.2, 0.3, 0.4, 0.5]))
        #expect(times?.percentile(0.5) == 0.3)
    }

    @Test func `times of small calls are not used for large ones`() {
        let calls = (0..<10).map { call(Double($0), 0.01, 1) } + (0..<10).map { call(Double($0), 2, 100) }
        #expect(CallTimes(calls, inWorker: false) == .sample(Array(repeating: 2, count: 10)))
    }

    @Test func `a provider in the worker is as fast as in its busiest second`() {
        let calls = (0..<20).map { call(Double($0) / 10, 0.1, 500) }
        #expect(CallTimes(calls, inWorker: true) == .shared(subjectsPerSecond: 5_000))
    }
}
