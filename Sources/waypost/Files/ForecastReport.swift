import Contacts
import Formats
import Postgres
import Processes
import Questions
import Queue
import Shapes
import Terminal

/// A forecast of geocoding a source: by the limits alone (`--dry-run`), or with workers (`plan`).
struct ForecastReport: Sendable {
    let contents: DryRun.Outcome
    /// Nil without workers.
    let work: PlannedWork?

    var forecast: Forecast { work?.forecast ?? contents.forecast }

    func show(asJSON isJSON: Bool) {
        guard isJSON else { return write(to: .output) }
        if let work { return Screen.output.writeJSON(SourcePlan(contents, work)) }
        Screen.output.writeJSON(contents)
    }

    func write(to screen: Screen) {
        screen.writeLine(contents.summary)
        guard contents.new > 0 else { return screen.writeLine("No call is needed.") }
        guard let work else { return forecast.write(to: screen) }
        work.write(forecast, to: screen)
    }
}

extension DryRun.Outcome {
    /// The content of the source.
    fileprivate var summary: String {
        let contents =
            "\(Words.count(contacts, "contact")) with \(Words.count(addresses, "address", "addresses")), "
            + "\(Readable.count(distinct)) of them distinct: \(Readable.count(known)) known, \(Readable.count(new)) to ask for."
        return refused > 0 ? "\(contents)\n\(Words.count(refused, "row")) would be left out." : contents
    }
}

enum Money {
    /// `12.50`
    static func text(_ amount: Double) -> String {
        let cents = Int(clamping: amount * 100)
        return "\(Readable.count(cents / 100)).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}

extension ClosedRange {
    /// `3`, `3 to 15`
    fileprivate func text(_ text: (Bound) -> String) -> String {
        let (least, most) = (text(lowerBound), text(upperBound))
        return least == most ? least : "\(least) to \(most)"
    }
}

extension Forecast {
    /// Writes the work of each lane, and the sum.
    func write(to screen: Screen) {
        var table = Table(.left("LANE"), .right("CALLS"), .left("AT THE LIMITS"), .left("COST"))
        for lane in lanes { table.add(lane.name, lane.callsText, lane.timeText, lane.costText) }
        table.write(to: screen)
        screen.writeLine(
            "In all \(sum): the least if the first provider has every answer, the most if every provider is called in "
                + "every step.")
    }

    /// `901 to 2,703 calls, 15 min, 0.00 to 9.01 USD`
    fileprivate var sum: String {
        var parts = ["\(calls.text(Readable.count)) \(calls == 1...1 ? "call" : "calls")"]
        if let time { parts.append(time.text(Readable.duration)) }
        for (currency, cost) in costs.sorted(by: { $0.key < $1.key }) {
            parts.append("\(cost.text(Money.text)) \(currency)")
        }
        return parts.joined(separator: ", ")
    }
}

extension Forecast.Lane {
    fileprivate var callsText: String { calls.text(Readable.count) }

    fileprivate var timeText: String { isPaused ? "paused" : time?.text(Readable.duration) ?? "no limits" }

    fileprivate var costText: String {
        guard let price, let cost else { return "unknown" }
        return "\(cost.text(Money.text)) \(price.currency)"
    }
}

extension PlannedWork {
    fileprivate func write(_ forecast: Forecast, to screen: Screen) {
        let crew = "\(Words.count(scenario.workers, "worker")) of \(Words.count(scenario.callsAtOnce, "call")) at once"
        screen.writeLine("")
        screen.writeLine("With \(crew)" + (plan.most.seconds == nil ? " it never ends." : ": \(forecast.sum)."))
        if let half = plan.most.halfAfter, let most = plan.most.nineTenthsAfter, plan.most.seconds != nil {
            screen.writeLine(
                "Half of the addresses are answered after \(Self.time(half)), nine of ten after \(Self.time(most)).")
        }
        screen.writeLine(plan.bottleneck.sentence)
        screen.writeLine("")
        table(of: forecast).write(to: screen)
        if plan.most.seconds != nil {
            screen.writeLine("")
            var table = Table(.right("WORKERS"), .left("TIME"))
            for row in plan.byWorkers { table.add("\(row.workers)", Self.time(row.seconds)) }
            table.write(to: screen)
            screen.writeLine(advice)
        }
        screen.writeLine("")
        for sentence in grounds { screen.writeLine(sentence) }
    }

    private func table(of forecast: Forecast) -> Table {
        var table = Table(
            .left("LANE"), .right("CALLS"), .left("AT THE LIMITS"), .left("COST"), .left("A CALL TAKES"),
            .right("IN FLIGHT"))
        for (fact, lane) in zip(facts, forecast.lanes) {
            let inFlight = plan.lanes.first { $0.name == lane.name }?.inFlight
            table.add(
                lane.name, lane.callsText, lane.timeText, lane.costText, fact.timesText,
                inFlight.map(Self.tenths) ?? "-")
        }
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
        if let known = known {
            grounds.append("The ways along the chain are those of \(Words.count(known, "question")) answered recently.")
        } else if plan.least.calls < plan.most.calls {
            grounds.append(
                "It is not known yet how often a link answers. The least is needed if the first one has every answer, the "
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
                "\(Int(clamping: fact.lane.missedSlots * 100))% of the slots in \(fact.lane.name) pass unused, because workers "
                    + "are too slow for its grace, and so it is reckoned: see 'waypost lanes show \(fact.lane.name)'.")
        }
        let others = facts.filter { $0.lane.outlook.waiting > 0 }
            .map { "\(Words.count($0.lane.outlook.waiting, "job")) in \($0.lane.name)" }
        if !others.isEmpty { grounds.append("First comes what waits already: \(others.joined(separator: ", ")).") }
        return grounds
    }

    fileprivate static func time(_ seconds: Double) -> String { Readable.duration(Duration(clampingSeconds: seconds)) }
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
                PlannedWork.time(middle) + (slow > middle * 1.05 ? ", 95% under \(PlannedWork.time(slow))" : "")
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

/// Forecasts the geocoding of a source. Writes nothing to the database.
struct ForecastWork: Sendable {
    let source: Source
    let account: String
    /// Nil for a forecast without workers.
    var wishes: Wishes?

    func run(in app: Application) async throws -> ForecastReport {
        let app = try await app.withPoints()
        guard case .file(let path) = source.place else { throw UsageError("--dry-run is for a file") }
        try source.showReading()
        var reader = try source.open(path)
        let contents = try await read(&reader, in: app)
        guard let wishes else { return ForecastReport(contents: contents, work: nil) }
        let survey = try await app.database.run { [contacts = app.contacts, registry = app.registry, account] in
            let chain = try contacts.chain(ofAccount: account, on: $0)
            return try Survey.read(along: chain, workers: registry, on: $0)
        }
        if Screen.errors.isTerminal { Screen.errors.write("Simulating …") }
        defer { if Screen.errors.isTerminal { Screen.errors.clearLine() } }
        do {
            let work = try survey.plan(
                contents.load, terms: app.terms, inWorker: app.inWorker, wishes: wishes,
                callsAtOnce: app.settings.callsAtOnce)
            return ForecastReport(contents: contents, work: work)
        } catch {
            throw UsageError(
                "the chain of this account has no lane called \"\(error.name)\"; it has "
                    + error.known.joined(separator: ", "))
        }
    }

    private func read(_ reader: inout some ContactReader, in app: Application) async throws -> DryRun.Outcome {
        var bar = ProgressBar("Reading", total: reader.totalSize, unit: .bytes)
        defer { bar.erase() }
        return try await DryRun(account: account, terms: app.terms)
            .run(over: &reader, on: app.database) { bar.update(done: $0, label: "") }
    }
}
