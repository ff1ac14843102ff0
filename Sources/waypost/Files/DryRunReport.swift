import Contacts
import Formats
import Geocoding
import Questions
import Queue
import Terminal
import Wording

/// The estimated cost of geocoding a source, as text.
struct DryRunReport: Sendable {
    let outcome: DryRun.Outcome

    func show(asJSON isJSON: Bool) throws {
        if isJSON { try Screen.output.writeJSON(DryRunJSON(outcome)) } else { write(to: .output) }
    }

    func write(to screen: Screen) {
        screen.writeLine(outcome.summary)
        guard outcome.new > 0 else { return screen.writeLine("No call is needed.") }
        outcome.forecast.write(to: screen)
    }

    /// `3`, `3 to 15`
    fileprivate static func range<Bound>(_ range: ClosedRange<Bound>, _ text: (Bound) -> String) -> String {
        let (least, most) = (text(range.lowerBound), text(range.upperBound))
        return least == most ? least : "\(least) to \(most)"
    }
}

extension DryRun.Outcome {
    /// The content of the source.
    var summary: String {
        let contents =
            "\(Words.count(contacts, "contact")) with \(Words.count(addresses, "address", "addresses")), "
            + "\(Readable.count(distinct)) of them distinct: \(Readable.count(known)) known, \(Readable.count(new)) to ask for."
        return refused > 0 ? "\(contents)\n\(Words.count(refused, "row")) would be left out." : contents
    }
}

enum Money {
    /// `12.50`
    static func text(_ amount: Double) -> String {
        let cents = Int(min(amount * 100, 1e15).rounded())
        return "\(Readable.count(cents / 100)).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}

extension Forecast {
    /// Writes the work of each lane, and the sum.
    func write(to screen: Screen) {
        var table = Table(.left("LANE"), .right("CALLS"), .left("AT THE LIMITS"), .left("COST"))
        for lane in lanes { table.add(lane.name, lane.callsText, lane.timeText, lane.costText) }
        table.write(to: screen)
        screen.writeLine(summary)
    }

    private var summary: String {
        var parts = ["\(DryRunReport.range(calls, Readable.count)) \(calls == 1...1 ? "call" : "calls")"]
        if let time { parts.append(DryRunReport.range(time, Readable.duration)) }
        for (currency, cost) in costs.sorted(by: { $0.key < $1.key }) {
            parts.append("\(DryRunReport.range(cost, Money.text)) \(currency)")
        }
        return
            "In all \(parts.joined(separator: ", ")): the least if the first provider knows every answer, the most "
            + "if every provider is called in every step."
    }
}

extension Forecast.Lane {
    fileprivate var callsText: String { DryRunReport.range(calls, Readable.count) }

    fileprivate var timeText: String {
        if isPaused { return "paused" }
        return time.map { DryRunReport.range($0, Readable.duration) } ?? "no limits"
    }

    fileprivate var costText: String {
        guard let price else { return "unknown" }
        let cost = price.cost(of: calls.lowerBound)...price.cost(of: calls.upperBound)
        return "\(DryRunReport.range(cost, Money.text)) \(price.currency)"
    }
}

/// Estimates the cost of geocoding a source. Writes nothing to the database.
struct DryRunWork: Sendable {
    let source: Source
    let account: String

    func run(in app: Application) async throws -> DryRunReport {
        guard case .file(let path) = source.place else { throw UsageError("--dry-run is for a file") }
        var reader = try source.open(path)
        return try await run(over: &reader, in: app)
    }

    private func run(over reader: inout some ContactReader, in app: Application) async throws -> DryRunReport {
        var bar = ProgressBar("Reading", total: reader.totalSize, unit: .bytes)
        defer { bar.erase() }
        let outcome = try await DryRun(account: account, terms: app.terms)
            .run(over: &reader, on: app.database) { bar.update(done: $0, label: "") }
        return DryRunReport(outcome: outcome)
    }
}
