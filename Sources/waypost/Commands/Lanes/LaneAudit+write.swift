import Processes
import Queue
import Terminal

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
