import Processes
import Queue

/// The duration, cost and limits of work, and how many workers are worth having.
package struct WorkPlan: Sendable {
    /// With the fewest calls, and with the most. The two are equal if the ways of questions are known.
    package let least: SimulatedRun
    package let most: SimulatedRun
    /// The limit of the run with the most calls.
    package let bottleneck: Bottleneck
    /// The time of the run with the most calls, by the number of workers.
    package let byWorkers: [(workers: Int, seconds: Double)]
    /// With more workers the work is at most a twentieth quicker.
    package let workersWorthHaving: Int
    package let lanes: [Lane]

    /// The needs of one lane in the steady state, by Little's law: calls in flight = calls per second × time of a call.
    package struct Lane: Sendable {
        package let name: String
        /// The calls that the limits permit during the time of its calls; nil without limits.
        package let callsPerSecond: Double?
        /// The mean length of a call, in seconds.
        package let callSeconds: Double
        /// Calls in flight while the lane uses its limits fully; nil without limits.
        package let inFlight: Double?
        /// The workers needed for these calls, including the time for claiming and storing; nil without limits.
        package let workers: Int?
    }

    package init(_ scenario: Scenario, longest: [(way: WaySample, count: Int)]) {
        var heavy = scenario
        heavy.work = longest
        least = Simulation(scenario).result()
        let isKnown = scenario.work.map(\.way) == longest.map(\.way)
        let most = isKnown ? least : Simulation(heavy).result()
        self.most = most
        bottleneck = heavy.bottleneck(of: most)
        lanes = zip(heavy.lanes, most.lanes).filter { $1.calls > 0 }.map { Lane($0, $1, in: heavy) }
        (byWorkers, workersWorthHaving) = Self.compare(heavy, given: most)
    }

    private static let mostWorkers = 64

    /// Doubles the workers until that hardly helps. Then finds the smallest number in between that is as good.
    private static func compare(
        _ scenario: Scenario, given: SimulatedRun
    ) -> (table: [(workers: Int, seconds: Double)], best: Int) {
        var known: [Int: Double] = [:]
        func seconds(_ workers: Int) -> Double? {
            if let known = known[workers] { return known }
            var scenario = scenario
            let isGiven = workers == scenario.workers
            scenario.workers = workers
            known[workers] = isGiven ? given.seconds : Simulation(scenario).result().seconds
            return known[workers]
        }
        guard given.seconds != nil, var best = seconds(1) else { return ([], scenario.workers) }
        var enough = 1
        while enough * 2 <= mostWorkers, let next = seconds(enough * 2), next < best * 0.95 {
            (enough, best) = (enough * 2, next)
        }
        var few = enough / 2
        while enough - few > 1, few > 0, let middle = seconds((few + enough) / 2) {
            if middle <= best * 1.05 { enough = (few + enough) / 2 } else { few = (few + enough) / 2 }
        }
        let table = known.filter { $0.key & ($0.key - 1) == 0 || $0.key == enough || $0.key == scenario.workers }
            .sorted { $0.key < $1.key }.map { (workers: $0.key, seconds: $0.value) }
        return (table, enough)
    }
}

extension WorkPlan.Lane {
    fileprivate init(_ lane: Scenario.Lane, _ done: SimulatedRun.Lane, in scenario: Scenario) {
        name = lane.name
        let calls = done.calls + done.othersCalls
        callSeconds = done.busy / Double(calls)
        let wait = lane.outlook.limits.wait(for: calls)
        guard !lane.outlook.limits.isEmpty, wait > 0 else {
            (callsPerSecond, inFlight, workers) = (nil, nil, nil)
            return
        }
        let rate = Double(calls) / wait
        (callsPerSecond, inFlight) = (rate, rate * callSeconds)
        let held = rate * (callSeconds + scenario.costs.claim + scenario.costs.record)
        let places = min(scenario.callsAtOnce, lane.callsPerWorker ?? .max)
        workers = max(1, Int(clamping: (held / Double(places)).rounded(.up)))
    }
}
