import Processes
import Queue
import Terminal

extension ThroughputHistory {
    /// Writes each lane's total and a bar for each step. A bar of full height is what the
    /// limits permit, or the highest step if that is higher.
    func write(to screen: Screen) {
        let active = lanes.filter { lane in lane.steps.contains { $0.calls > 0 } }
        if active.isEmpty { return screen.writeLine("No calls in the last \(span.words).") }
        for (number, lane) in active.enumerated() {
            if number > 0 { screen.writeLine() }
            write(lane, to: screen)
        }
        screen.writeLine()
        screen.writeLine("One bar is \(Readable.duration(.seconds(span.step))).")
    }

    private func write(_ lane: Lane, to screen: Screen) {
        let rates = lane.steps.indices.map { Double(lane.steps[$0].calls) / self.seconds(of: $0, in: lane) }
        let sum = lane.steps.reduce(CallCounts(), +)
        let seconds = lane.steps.indices.map { self.seconds(of: $0, in: lane) }.reduce(0, +)
        let average = Double(sum.calls) / seconds
        var facts = "\(Words.count(sum.calls, "call")), \(Words.count(sum.subjects, "address", "addresses")), "
        facts += Readable.rate(average)
        if let permitted = lane.limits.permitted(in: seconds) {
            facts += " of \(Readable.rate(permitted / seconds)) permitted (\(percent(Double(sum.calls) / permitted)))"
        }
        let best = rates.indices.max { rates[$0] < rates[$1] } ?? 0
        facts += "; most \(Readable.rate(rates[best])) at \(time(of: best))"
        let troubles = [
            (sum.retried, "retried"), (sum.limited, "limited"), (sum.failed, "failed"), (sum.lost, "lost"),
        ].filter { $0.0 > 0 }.map { "\(Readable.count($0.0)) \($0.1)" }
        screen.writeLine("\(screen.styled(lane.name, .bold))  \(facts)")
        if !troubles.isEmpty { screen.writeLine("  \(troubles.joined(separator: ", "))") }
        let permitted = lane.limits.permitted(in: Double(span.step)).map { $0 / Double(span.step) }
        screen.writeLine("  \(Sparkline.text(rates, top: permitted ?? 0))")
        let (first, last) = (time(of: 0), "now")
        let gap = String(repeating: " ", count: max(1, rates.count - first.count - last.count))
        screen.writeLine("  \(screen.styled(first + gap + last, .dim))")
    }

    private func time(of step: Int) -> String {
        Words.time(start + .seconds(step * span.step), asOf: start + .seconds(span.length))
    }
}

extension HistorySpan {
    fileprivate var words: String {
        switch self {
        case .hour: "hour"
        case .day: "day"
        case .week: "7 days"
        case .month: "30 days"
        }
    }
}
