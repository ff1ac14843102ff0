package import Geocoding
import Processes
import Queue

/// The plan of new questions, with the facts that it is based on.
package struct PlannedWork: Sendable {
    package let scenario: Scenario
    package let facts: [LaneFacts]
    /// The number of answered questions that show the ways of the new ones; nil if too few.
    package let known: Int?
    package let plan: WorkPlan
}

extension PlannedWork {
    /// The calls and the time of the simulation.
    package var forecast: Forecast {
        let lanes = facts.enumerated().map { index, fact in
            let calls = [plan.least.lanes[index].calls, plan.most.lanes[index].calls].sorted()
            return Forecast.Lane(fact.lane.name, calls[0]...calls[1], fact.lane.outlook)
        }
        guard let least = plan.least.seconds, let most = plan.most.seconds else { return Forecast(lanes, time: nil) }
        let times = [least, most].map { Duration(clampingSeconds: $0) }.sorted()
        return Forecast(lanes, time: times[0]...times[1])
    }
}

/// A wish names a lane that the chain doesn't have.
package struct UnknownLane: Error {
    package let name: String
    /// The lanes of the chain.
    package let known: [String]
}

extension Survey {
    /// Plans the questions of `load`. It computes as long as a simulation takes: some seconds for 100,000 questions.
    ///
    /// `terms` are those of the lanes' providers, and `inWorker` the providers that are part of the worker.
    package func plan(
        _ load: ChainLoad, terms: [String: ProviderTerms], inWorker: Set<String>, wishes: Wishes, callsAtOnce: Int
    ) throws(UnknownLane) -> PlannedWork {
        let ways = ChainWays(load, terms: terms, answered: ways)
        if let unknown = wishes.lanes.subtracting(ways.lanes).min() {
            throw UnknownLane(name: unknown, known: ways.lanes)
        }
        let (scenario, facts) = scenario(for: ways, inWorker: inWorker, wishes: wishes, callsAtOnce: callsAtOnce)
        return PlannedWork(
            scenario: scenario, facts: facts, known: ways.known,
            plan: WorkPlan(scenario, longest: ways.work(.longest)))
    }
}
