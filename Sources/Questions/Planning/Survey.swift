package import Postgres
package import Queue

/// The facts in the database about how long work takes: lanes, their latest calls, the ways of answered questions.
package struct Survey: Sendable {
    package let lanes: [LaneState]
    package let calls: [String: [LoggedCall]]
    package let ways: [[String]]
    /// The number of running workers.
    package let workers: Int
    /// The round trip to the database in seconds.
    package let roundTrip: Double

    private static let latestCalls = 2_000
    private static let latestQuestions = 20_000

    package static func read(
        along chain: StoredChain, workers registry: ProcessRegistry, on database: isolated Connection
    ) throws -> Survey {
        let queue = JobQueue()
        var roundTrips: [Duration] = []
        for _ in 0..<5 {
            let began = ContinuousClock.now
            try database.query("SELECT 1")
            roundTrips.append(began.duration(to: .now))
        }
        return Survey(
            lanes: try queue.lanes(on: database), calls: try queue.latestCalls(latestCalls, on: database),
            ways: try GeocodeStore().ways(along: chain, latest: latestQuestions, on: database),
            workers: try registry.workers(on: database).count, roundTrip: roundTrips.sorted()[2] / .seconds(1))
    }

    /// Returns the scenario of questions on these ways. A person's wishes replace measured facts. `inWorker` are the
    /// providers that are part of the worker.
    package func scenario(
        for ways: ChainWays, inWorker: Set<String>, wishes: Wishes, callsAtOnce: Int
    ) -> (scenario: Scenario, facts: [LaneFacts]) {
        let facts = ways.lanes.map { LaneFacts($0, self, isInWorker: inWorker.contains($0), wishes) }
        var scenario = Scenario(
            lanes: facts.map(\.lane), work: ways.work(.shortest), workers: wishes.workers ?? max(1, workers),
            callsAtOnce: wishes.callsAtOnce ?? callsAtOnce)
        scenario.costs.claim += roundTrip
        scenario.costs.record += 2 * roundTrip
        return (scenario, facts)
    }
}

/// The settings that a person wants to try, by the names of lanes.
package struct Wishes: Sendable {
    package var workers: Int?
    package var callsAtOnce: Int?
    package var limits: [String: [RateLimit]] = [:]
    package var prices: [String: Price] = [:]
    package var latencies: [String: Duration] = [:]

    package init() {}

    /// Every lane that a wish names.
    package var lanes: Set<String> { Set(limits.keys).union(prices.keys).union(latencies.keys) }
}

/// The facts that a plan assumes about a lane, with their source.
package struct LaneFacts: Sendable {
    package enum Source: Hashable, Sendable {
        case wish
        /// The number of measured calls.
        case measured(calls: Int)
        case assumed
    }

    package let lane: Scenario.Lane
    /// The source of the length of a call.
    package let source: Source

    /// The default for a network provider without measurements.
    private static let usualCall: Duration = .milliseconds(250)
    /// Fewer calls prove nothing about missed slots.
    private static let fewestCalls = 30
    /// The default for the gazetteer before it was used here.
    private static let usualRate = 10_000.0

    init(_ name: String, _ survey: Survey, isInWorker: Bool, _ wishes: Wishes) {
        let state = survey.lanes.first { $0.lane == name }
        let calls = survey.calls[name] ?? []
        let times: CallTimes
        if let latency = wishes.latencies[name] {
            (times, source) = (.always(latency), .wish)
        } else if let measured = CallTimes(calls, inWorker: isInWorker) {
            (times, source) = (measured, .measured(calls: calls.count))
        } else {
            times = isInWorker ? .shared(subjectsPerSecond: Self.usualRate) : .always(Self.usualCall)
            source = .assumed
        }
        let faults = calls.isEmpty ? 0 : Double(calls.count { $0.outcome == .retry }) / Double(calls.count)
        var lane = Scenario.Lane(
            (state?.outlook ?? LaneOutlook(name, batch: 1)).with(wishes, grace: state?.settings.grace ?? .zero),
            times: times, callsAtOnce: state?.settings.callsAtOnce, callsPerWorker: state?.settings.callsPerWorker,
            faults: faults)
        if let state, !state.limits.isEmpty, state.calls >= Self.fewestCalls {
            lane.missedSlots = Double(state.voided) / Double(state.calls + state.voided)
        }
        if let settings = state?.settings { lane.retryWait = settings.retryWait }
        self.lane = lane
    }
}

extension LaneOutlook {
    fileprivate func with(_ wishes: Wishes, grace: Duration) -> LaneOutlook {
        let wished = wishes.limits[lane].map { limits in
            limits.map { LimitState($0, grace: grace, spread: self.limits.first?.spread ?? .zero, fullIn: 0) }
        }
        return LaneOutlook(
            lane, batch: batch, limits: wished ?? limits, price: wishes.prices[lane] ?? price, waiting: waiting,
            blockedSeconds: blockedSeconds, isPaused: isPaused)
    }
}
