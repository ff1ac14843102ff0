import Geocoding
import Processes
import Queue
import Terminal

extension LaneState {
    func write(to screen: Screen) {
        writeFacts(to: screen)
        screen.writeLine()
        if limits.isEmpty { return screen.writeLine("No limits: set some with 'waypost lanes limit \(lane) 20/s'.") }
        writeLimits(to: screen)
    }

    private func writeFacts(to screen: Screen) {
        var facts = Table(.left("LANE"), .left(lane))
        facts.add("state", conditionText)
        facts.add(
            "jobs",
            "\(Readable.count(ready)) ready, \(Readable.count(later)) later, "
                + "\(Readable.count(held)) held, \(Readable.count(dead)) dead")
        facts.add("done in", estimate.text)
        facts.add("workers", workers == 0 ? "none" : Readable.count(workers))
        facts.add("calls", "\(Readable.count(calls)), of which \(Words.count(retries, "retry", "retries"))")
        facts.add("last minute", Words.count(callsLastMinute, "call"))
        facts.add("slots missed", Readable.count(voided))
        facts.add("calls too late", Readable.count(slipped))
        facts.add("results too late", Readable.count(late))
        if let failures { facts.add("failures", failures.sentence(asOf: asOf)) }
        facts.add("faults in a row", "\(faults); the breaker opens at \(settings.breakerAfter)")
        facts.add("pace", "\(Readable.percent(Int(clamping: pace * 100), of: 100)) of the limits")
        facts.add("subjects a call", Readable.count(settings.batch))
        facts.add("calls at once", "\(cap(settings.callsAtOnce)), \(cap(settings.callsPerWorker)) by one worker")
        facts.add("machines", settings.machines.map { "\(Readable.count($0)), those that came first" } ?? "any number")
        facts.add("grace", Readable.duration(settings.grace))
        facts.add("call limit", Readable.duration(settings.callLimit))
        facts.add(
            "retries",
            "dead at failure \(settings.mostFailures); first after \(Readable.duration(settings.firstRetry)), "
                + "at the longest after \(Readable.duration(settings.longestRetry))")
        facts.add("price", settings.price.map { "\($0.text) for 1,000 calls" } ?? "unknown")
        facts.write(to: screen)
    }

    private func writeLimits(to screen: Screen) {
        var table = Table(.left("LIMIT"), .right("BURST"), .right("TOKENS"), .right("NEXT CALL"))
        for state in limits {
            let wait = state.wait(for: 1)
            table.add(
                state.limit.rateText, "\(Self.tenths(state.limit.burst))", "\(Self.tenths(state.tokens))",
                wait > 0 ? "in \(Readable.duration(Duration(clampingSeconds: wait)))" : "now")
        }
        table.write(to: screen)
        for state in limits {
            if let sentence = state.distanceSentence { screen.writeLine(sentence) }
        }
        if let debtText { screen.writeLine(debtText) }
    }

    private func cap(_ cap: Int?) -> String { cap.map(Readable.count) ?? "any number" }

    fileprivate static func tenths(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return Int(exactly: rounded).map(Readable.count) ?? "\(rounded)"
    }
}

extension LimitState {
    /// The cost of the workers' distance from the database; nil if there is none.
    var distanceSentence: String? {
        guard spread > .zero, burstForDistance > 0 || gap > 0 else { return nil }
        let distance = "pays for the distance of \(Readable.duration(spread)) between workers and database"
        var sentence = "\(limit.rateText): burst \(LaneState.tenths(limit.burst))"
        if burstForDistance > 0 {
            sentence += ", of which \(LaneState.tenths(burstForDistance)) \(distance)"
        }
        guard gap > 0 else { return sentence + "." }
        return sentence + (burstForDistance > 0 ? ", and" : ":")
            + " a gap of \(Readable.duration(Duration(clampingSeconds: gap))) where another worker takes over"
            + (burstForDistance > 0 ? "." : " \(distance).")
    }
}

extension LaneState {
    var usedText: String {
        usedShare.map { Readable.percent(Int(clamping: $0 * 10_000), of: 10_000) } ?? "-"
    }
}

/// The colour of a lane's state.
func conditionStyle(_ text: String) -> Style? {
    switch text.prefix(4) {
    case "open": .green
    case "prob": .yellow
    default: .red
    }
}

extension LaneAudit {
    func write(to screen: Screen) {
        guard calls.calls > 0 else {
            return screen.writeLine("\(lane): no call was made in the last \(Readable.duration(time)).")
        }
        screen.writeLine(
            "\(lane), the last \(Readable.duration(time)): \(Words.count(calls.calls, "call")), the first and the last "
                + "\(Readable.duration(Duration(clampingSeconds: calls.span))) apart")
        screen.writeLine()
        if calls.limits.isEmpty { screen.writeLine("The lane has no limits.") }
        for limit in calls.limits { screen.writeLine(limit.sentence(on: screen)) }
        if slipped > 0 {
            screen.writeLine(
                "\(Words.count(slipped, "call")) left after the slot had ended: the process was stopped just before. "
                    + "Each is counted above at the moment it left, and was charged to the limits once more.")
        }
        if let lost = outcomes.first(where: { $0.outcome == "lost" }) {
            screen.writeLine(
                "\(Words.count(lost.calls, "call")) may have been made by workers that were lost. "
                    + "Each is counted above at the beginning of its slot, and may have left within it, or not at all.")
        }
        for step in clockSteps {
            screen.writeLine(
                "The database's clock was set \(step.size < .zero ? "back" : "forwards") by "
                    + "\(Readable.duration(step.size < .zero ? .zero - step.size : step.size)), "
                    + "\(Readable.duration(step.age)) ago.")
        }
        if unclear > 0 {
            screen.writeLine(
                "\(Words.count(unclear, "call")) of the time that the clock showed twice can't be put in order. "
                    + "The audit leaves them out, and counts no window across that time.")
        }
        screen.writeLine()
        var table = Table(.left("OUTCOME"), .right("CALLS"), .right("SHARE"), .right("SUBJECTS"), .right("TOOK"))
        for outcome in outcomes {
            table.add(
                outcome.outcome, Readable.count(outcome.calls), Readable.percent(outcome.calls, of: calls.calls),
                Readable.count(outcome.subjects), outcome.averageTook.map(Readable.duration) ?? "-")
        }
        table.write(to: screen)
    }
}

extension LimitAudit {
    /// `20/s: kept. Most calls in any 1 s: 21 of 22 permitted; 99% of what was permitted was used.`
    fileprivate func sentence(on screen: Screen) -> String {
        let verdict =
            isExceeded
            ? screen.styled("exceeded by \(Self.hundredths(excess)) calls in the worst window", .red, .bold)
            : screen.styled("kept in every window", .green)
        return "\(limit.text): \(verdict). Most calls in any \(periodText): \(Readable.count(mostInPeriod)) of "
            + "\(Readable.count(permittedInPeriod)) permitted; \(usedText) of what was permitted was used."
    }

    private var usedText: String { Readable.percent(Int(clamping: usedShare * 10_000), of: 10_000) }

    private var periodText: String {
        let text = Readable.duration(limit.per)
        return text.hasPrefix("1 ") || limit.per < .seconds(60) ? text : "window of \(text)"
    }

    private static func hundredths(_ value: Double) -> String { "\((value * 100).rounded(.up) / 100)" }
}
