import Foundation
import Queue

/// What is to be said about one lane of a trial.
struct Verdict {
    /// The recorder and the log are on one machine with one clock. Where a process was stopped around a write, the kernel
    /// says when that was, to a tick of its clock, which is ten milliseconds at most.
    private static let tolerance = 0.011
    /// What the database's clock and the workers' may be apart, in seconds.
    private static let slack = 0.001

    let lane: Lane
    private(set) var faults: [String] = []
    private var facts: [String] = []
    private var history: [String] = []

    init(_ lane: Lane, _ seen: [RecordedCall], _ log: CallLog, _ course: Course, isCalm: Bool) {
        self.lane = lane
        guard let first = seen.first, let last = seen.last else {
            faults = ["NO CALL AT ALL"]
            return
        }
        let slipped = seen.filter(\.hasSlipped)
        let comparison = log.compare(with: seen, grace: lane.grace / 1_000, tolerance: Self.tolerance + log.spread / 2)
        let (missing, unseen) = (comparison.missing, comparison.unseen)
        facts = [
            "\(seen.count) calls", "\(log.known.count) logged and \(log.lost.count) lost", "\(log.voided) void",
            "\(slipped.count) slipped (\(log.slipped) said so)",
        ]
        if !unseen.isEmpty {
            // Bytes to a connection that its server has just closed leave, and are never read.
            facts.append("\(unseen.count) hung up on unread")
            if isCalm { faults.append("THE LOG HAS CALLS THAT NOBODY SAW") }
        }
        judgeLimits(seen, log, course, comparison.vanished)
        if !missing.isEmpty {
            faults.append("\(missing.count) CALLS NOT IN THE LOG AT THEIR MOMENT")
            history += Self.lines(missing.prefix(10))
        }
        let early = seen.filter(\.isEarly)
        if !early.isEmpty {
            faults.append("\(early.count) BEFORE THEIR SLOTS")
            history += Self.lines(early.prefix(10))
        }
        if lane.isPaused {
            let count = seen.count { $0.at > course.pausedFrom + 0.25 && $0.at < course.pausedUntil }
            if count > 0 { faults.append("\(count) CALLS WHILE PAUSED") }
        }
        if lane.isSteady {
            let seconds = last.at - first.at
            let used = lane.limits.map { $0.used(seen.count, seconds: seconds, grace: lane.grace / 1_000) }.max() ?? 0
            facts.append(String(format: "%.1f %% used", used * 100))
            if isCalm, used < 0.99 { faults.append("TOO FEW") }
        }
    }

    /// Holds calls against the limits, first all of them, then without those that slipped: they are the price of a stop
    /// at the wrong moment. But then the audit must say it, too, unless those were killed before they could.
    private mutating func judgeLimits(
        _ seen: [RecordedCall], _ log: CallLog, _ course: Course, _ vanished: Set<Double>
    ) {
        let moments = (log.known + log.lost).sorted()
        // Slots that were promised before a change are handed back when the workers hear of it: 250 ms, generously.
        let spans: [(limits: [Limit], from: Double, to: Double)] =
            lane.laterLimits.map {
                [(lane.limits, -.infinity, course.slowed), ($0, course.slowed + 0.25, .infinity)]
            } ?? [(lane.limits, -.infinity, .infinity)]
        var worst = -Double.infinity
        for span in spans {
            let calls = seen.filter { $0.at > span.from && $0.at < span.to }
            for limit in span.limits {
                let slack = Self.slack
                let (excess, window) = limit.worstWindow(of: calls.map(\.at), slack: slack)
                worst = max(worst, excess)
                guard excess > 0 else { continue }
                let punctual = limit.excess(of: calls.filter { !$0.hasSlipped }.map(\.at), slack: slack)
                if punctual > 0 {
                    faults.append("TOO MANY")
                    history += Self.lines(calls[window].prefix(60))
                }
                let said = limit.excess(of: moments.filter { $0 > span.from && $0 < span.to }, slack: 0)
                let told = calls.filter { !($0.hasSlipped && vanished.contains($0.at)) }.map(\.at)
                if said <= 0, limit.excess(of: told, slack: slack) > 0 {
                    faults.append("THE AUDIT SAYS KEPT")
                    history += Self.lines(calls[window].prefix(60))
                }
                facts.append(String(format: "%.2f too many by calls that slipped", excess))
            }
        }
        if worst <= 0 { facts.append(String(format: "the fullest window held %.2f fewer than permitted", -worst)) }
    }

    func write() {
        let verdict = faults.isEmpty ? "" : "← " + faults.joined(separator: ", ")
        print("  \(lane.name):", facts.joined(separator: ", "), verdict)
        for line in history { print("    ", line) }
    }

    private static func lines(_ calls: some Sequence<RecordedCall>) -> [String] {
        var previous: Double?
        return calls.map { call in
            defer { previous = call.at }
            return String(
                format: "%.6f  +%8.3f ms  %8.3f ms after its slot began, %8.3f ms before it ended", call.at,
                (call.at - (previous ?? call.at)) * 1e3, (call.at - call.opens) * 1e3, (call.closes - call.at) * 1e3)
                + "  \(call.worker), job \(call.job), lease \(call.lease)"
        }
    }
}
