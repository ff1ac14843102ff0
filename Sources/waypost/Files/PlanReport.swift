import Contacts
import Planning
import Queue
import Terminal
import Wording

/// A plan, as text or JSON.
struct PlanReport: Sendable {
    let contents: DryRun.Outcome
    let work: PlannedWork

    var scenario: Scenario { work.scenario }
    var facts: [LaneFacts] { work.facts }
    var plan: WorkPlan { work.plan }

    func show(asJSON isJSON: Bool) throws {
        if isJSON { try Screen.output.writeJSON(PlanJSON(self)) } else { write(to: .output) }
    }

    func write(to screen: Screen) {
        screen.writeLine(contents.summary)
        guard contents.new > 0 else { return screen.writeLine("No call is needed.") }
        screen.writeLine("")
        screen.writeLine(result)
        if let half = plan.most.halfAfter, let most = plan.most.nineTenthsAfter, plan.most.seconds != nil {
            screen.writeLine(
                "Half of the addresses are answered after \(Self.time(half)), nine of ten after \(Self.time(most)).")
        }
        screen.writeLine(plan.bottleneck.sentence)
        screen.writeLine("")
        lanes.write(to: screen)
        if plan.most.seconds != nil {
            screen.writeLine("")
            workers.write(to: screen)
            screen.writeLine(advice)
        }
        screen.writeLine("")
        for sentence in grounds { screen.writeLine(sentence) }
    }

    private var result: String {
        let crew = "\(Words.count(scenario.workers, "worker")) of \(Words.count(scenario.callsAtOnce, "call")) at once"
        guard let least = plan.least.seconds, let most = plan.most.seconds else {
            return "With \(crew) it never ends."
        }
        var parts = [
            Self.range(Self.time(least), Self.time(most)),
            "\(Self.range(Readable.count(plan.least.calls), Readable.count(plan.most.calls))) \(plan.most.calls == 1 ? "call" : "calls")",
        ]
        for (currency, cost) in work.costs.sorted(by: { $0.key < $1.key }) {
            parts.append("\(Self.range(Money.text(cost.least), Money.text(cost.most))) \(currency)")
        }
        return "With \(crew): \(parts.joined(separator: ", "))."
    }

    private var lanes: Table {
        var table = Table(
            .left("LANE"), .left("LIMITS"), .left("A CALL TAKES"), .right("CALLS"), .right("IN FLIGHT"), .left("COST"))
        for (index, fact) in facts.enumerated() {
            let (least, most) = (plan.least.lanes[index].calls, plan.most.lanes[index].calls)
            let need = plan.lanes.first { $0.name == fact.lane.name }
            let cost = fact.lane.outlook.price.map { price in
                "\(Self.range(Money.text(price.cost(of: least)), Money.text(price.cost(of: most)))) \(price.currency)"
            }
            table.add(
                fact.lane.name, fact.lane.outlook.limits.text, fact.timesText,
                Self.range(Readable.count(least), Readable.count(most)), need?.inFlight.map(Self.tenths) ?? "-",
                cost ?? "unknown")
        }
        return table
    }

    private var workers: Table {
        var table = Table(.right("WORKERS"), .left("TIME"))
        for row in plan.byWorkers { table.add("\(row.workers)", Self.time(row.seconds)) }
        return table
    }

    private var advice: String {
        let worth = plan.workersWorthHaving
        let count = worth == 1 ? "One worker is enough" : "\(worth) workers are worth having"
        let needs = plan.lanes.compactMap { lane -> String? in
            guard let rate = lane.callsPerSecond, let inFlight = lane.inFlight, let workers = lane.workers else {
                return nil
            }
            return "\(lane.name) lets \(Readable.rate(rate)) through, and a call takes \(Self.time(lane.callSeconds)): "
                + "\(Self.tenths(inFlight)) calls in flight, which is \(Words.count(workers, "worker"))"
        }
        return "\(count): more make it less than 5% quicker."
            + (needs.isEmpty ? "" : " \(needs.joined(separator: "; ")).")
    }

    /// The basis of the plan.
    private var grounds: [String] {
        var grounds: [String] = []
        if let known = work.known {
            grounds.append("The ways along the chain are those of \(Words.count(known, "question")) answered of late.")
        } else if plan.least.calls < plan.most.calls {
            grounds.append(
                "It is not known yet how often a link answers. The least is needed if the first one knows every answer, the "
                    + "most if every provider is called in every step; the rest is about the most.")
        }
        let assumed = facts.filter { $0.source == .assumed }.map(\.lane.name)
        if !assumed.isEmpty {
            grounds.append(
                "How long calls take is assumed for \(assumed.joined(separator: ", ")). After a few calls it is known; "
                    + "--latency tries another.")
        }
        for fact in facts where fact.lane.missedSlots >= 0.01 {
            grounds.append(
                "\(Int((fact.lane.missedSlots * 100).rounded()))% of the slots in \(fact.lane.name) pass unused, because workers "
                    + "are too slow for its grace, and so it is reckoned: see 'waypost lanes show \(fact.lane.name)'.")
        }
        let others = facts.filter { $0.lane.outlook.waiting > 0 }
            .map { "\(Words.count($0.lane.outlook.waiting, "job")) in \($0.lane.name)" }
        if !others.isEmpty { grounds.append("First comes what waits already: \(others.joined(separator: ", ")).") }
        return grounds
    }

    static func time(_ seconds: Double) -> String { Readable.duration(.seconds(seconds)) }
    private static func range(_ least: String, _ most: String) -> String {
        least == most ? least : "\(least) to \(most)"
    }
    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

extension LaneFacts {
    /// `210 ms, 95% under 480 ms (of 2,000 calls)`
    fileprivate var timesText: String {
        let times: String
        switch lane.times {
        case .sample:
            let (middle, slow) = (lane.times.percentile(0.5) ?? 0, lane.times.percentile(0.95) ?? 0)
            times =
                PlanReport.time(middle) + (slow > middle * 1.05 ? ", 95% under \(PlanReport.time(slow))" : "")
        case .shared(let rate): times = "\(Readable.count(Int(rate))) addresses/s in all"
        }
        return switch source {
        case .wish: times
        case .measured(let calls): "\(times) (of \(Words.count(calls, "call")))"
        case .assumed: "\(times) (assumed)"
        }
    }
}

extension Bottleneck {
    fileprivate var sentence: String {
        switch self {
        case .nothing: "Nothing limits it."
        case .pause(let lane): "\(lane) is paused: resume it with 'waypost lanes resume \(lane)'."
        case .limits(let lane): "What limits it: the limits of \(lane). More workers change nothing."
        case .places(let lane):
            "What limits it: the calls that workers hold in \(lane). More workers help, or more calls at once."
        case .callsAtOnce(let lane):
            "What limits it: the calls at once that \(lane) may have in the whole cluster ('waypost lanes set')."
        case .machine(let lane): "What limits it: \(lane) works in the workers, and uses their machine up."
        case .calls(let lane): "What limits it: how long the calls of \(lane) take, one after the other."
        }
    }
}
