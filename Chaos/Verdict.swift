import Foundation
import Queue

/// The judgement of one lane of a trial.
struct Verdict {
    /// The recorder and the log are on one machine with one clock. If a process was stopped around a write, the kernel
    /// gives the time of the write within one tick of its clock, at most ten milliseconds.
    private static let tolerance = 0.011
    /// The greatest difference between the clocks of the database and the workers, in seconds.
    private static let slack = 0.001

    let lane: Lane
    private(set) var faults: [String] = []
    /// By how many calls the fullest window exceeds its limit; negative if all windows are below it.
    private(set) var worst = -Double.infinity
    /// The number of answered calls for jobs that had an answer.
    private(set) var repeated = 0
    private var facts: [String] = []
    private var history: [String] = []
    private let audit: LaneAudit
    private let chronicle: Chronicle

    init(
        _ lane: Lane, _ seen: [RecordedCall], _ log: CallLog, _ audit: LaneAudit, _ course: Course,
        _ chronicle: Chronicle, isCalm: Bool, jobs: [Job.ID], _ left: JobsLeft
    ) {
        (self.lane, self.audit, self.chronicle) = (lane, audit, chronicle)
        guard let first = seen.first, let last = seen.last else {
            // A slow lane may have no second without a fault.
            if chronicle.isServerWell { faults = ["NO CALL AT ALL"] } else { facts = ["no call at all"] }
            return
        }
        let slipped = seen.filter(\.hasSlipped)
        let comparison = log.compare(
            with: seen, grace: lane.grace / 1_000, tolerance: Self.tolerance, offsets: chronicle.clockOffsets,
            unmeasured: chronicle.unmeasured, lag: chronicle.clockLag)
        let (missing, unseen) = (comparison.missing, comparison.unseen)
        facts = [
            "\(seen.count) calls", "\(log.known.count) logged and \(log.lost.count) lost", "\(log.voided) void",
            "\(slipped.count) slipped (\(log.slipped) said so)",
        ]
        if !unseen.isEmpty {
            // Bytes sent to a connection that the server has just closed leave, but are never read.
            facts.append("\(unseen.count) hung up on unread")
            if isCalm { faults.append("THE LOG HAS CALLS THAT NOBODY SAW") }
        }
        judgeLimits(seen, log, course, comparison.vanished, isCalm: isCalm)
        if !chronicle.isClockSet, !audit.clockSteps.isEmpty { faults.append("THE CLOCK WAS MOVED, AND NOBODY SET IT") }
        // A call that was perhaps made is in the log. Without such calls the audit must not report more than there were.
        if lane.isSteady, worst <= 0, log.lost.isEmpty, unseen.isEmpty, audit.calls.isExceeded {
            faults.append("THE AUDIT SAYS EXCEEDED")
        }
        judgeJobs(jobs, left, seen)
        if !missing.isEmpty {
            faults.append("\(missing.count) CALLS NOT IN THE LOG AT THEIR MOMENT")
            history += story(of: missing.prefix(10))
            history += missing.prefix(10).compactMap { call in
                let offsets = chronicle.clockOffsets(around: call.at)
                let rows = unseen.map { ($0, call.at, "") } + comparison.unused.map { ($0, call.opens, "as lost, ") }
                let distances = rows.flatMap { row in offsets.map { (row.0 - $0 - row.1, $0, row.2) } }
                return distances.min { abs($0.0) < abs($1.0) }.map {
                    String(format: "%.6f  is in the log ", call.at) + $0.2
                        + String(format: "%.3f ms off, by a clock %.3f s ahead", $0.0 * 1e3, $0.1)
                }
            }
        }
        let early = seen.filter(\.isEarly)
        if !early.isEmpty {
            faults.append("\(early.count) BEFORE THEIR SLOTS")
            history += story(of: early.prefix(10))
        }
        if lane.isPaused {
            let from = course.pausedFrom + settling(after: course.pausedFrom, usually: course.settling)
            let late = seen.filter { $0.at > from && $0.at < course.pausedUntil }
            if let last = late.last {
                let after = String(format: "%.2f s", last.at - course.pausedFrom)
                faults.append("\(late.count) CALLS WHILE PAUSED, THE LAST AFTER \(after)")
                history += story(of: late.prefix(10))
            }
        }
        if lane.isSteady {
            let seconds = last.at - first.at
            let used = lane.limits.map { $0.used(seen.count, seconds: seconds, grace: lane.grace / 1_000) }.max() ?? 0
            facts.append(String(format: "%.1f %% used", used * 100))
            // Without a burst, each change of workers costs the uncertainty of their clocks.
            if isCalm { facts.append(String(format: "the clock known to %.2f ms", log.spread * 1_000)) }
            if isCalm, used < 0.99 { faults.append("TOO FEW") }
        }
    }

    /// A job ends when it has an answer, and must exist until then.
    private mutating func judgeJobs(_ jobs: [Job.ID], _ left: JobsLeft, _ seen: [RecordedCall]) {
        let answered = Set(seen.filter(\.isAnswered).map(\.job))
        let lost = jobs.filter { !left.alive.contains($0) && !left.dead.contains($0) && !answered.contains("\($0)") }
        if !lost.isEmpty { faults.append("\(lost.count) JOBS LOST: \(lost.prefix(10))") }
        if !left.dead.isEmpty { facts.append("\(left.dead.count) jobs dead") }
        repeated = seen.count(where: \.isAnswered) - answered.count
        // A stopped process may have lost its leases.
        if chronicle.areProcessesWell, repeated > 0 { faults.append("\(repeated) ANSWERED CALLS REPEATED") }
    }

    /// Compares the calls with the limits, first all calls, then those that did not slip. Slipped calls are the cost of
    /// a stop at the wrong time. But then the audit must report them, unless their processes were killed before they
    /// could.
    private mutating func judgeLimits(
        _ seen: [RecordedCall], _ log: CallLog, _ course: Course, _ vanished: Set<Double>, isCalm: Bool
    ) {
        let moments = (log.known + log.lost).sorted()
        let changes = course.limited[lane.name] ?? []
        let begins = [-.infinity] + changes.map(\.upperBound).map { $0 + settling(after: $0, usually: course.settling) }
        for (number, limits) in ([lane.limits] + lane.changes).prefix(begins.count).enumerated() {
            let span = (
                limits: limits, from: begins[number],
                to: number < changes.count ? changes[number].lowerBound : .infinity
            )
            let calls = seen.filter { $0.at > span.from && $0.at < span.to }
            if isCalm, number > 0, span.to == .infinity {
                judgeReturn(calls, after: changes[number - 1].upperBound, limits)
            }
            for limit in span.limits {
                let slack = Self.slack
                let (excess, window) = limit.worstWindow(of: calls.map(\.at), slack: slack)
                worst = max(worst, excess)
                guard excess > 0 else { continue }
                let punctual = limit.excess(of: calls.filter { !$0.hasSlipped }.map(\.at), slack: slack)
                if punctual > 0 {
                    faults.append("TOO MANY")
                    history += story(of: calls[window].prefix(60))
                }
                let told = calls.filter { !($0.hasSlipped && vanished.contains($0.at)) }.map(\.at)
                // The log can't be more precise than the clock's uncertainty.
                if limit.excess(of: told, slack: slack + log.spread) > 0, !isTold(limit, moments, span.from, span.to) {
                    faults.append("THE AUDIT SAYS KEPT")
                    history += story(of: calls[window].prefix(60))
                }
                facts.append(String(format: "%.2f too many", excess) + (punctual > 0 ? "" : " by calls that slipped"))
            }
        }
        if worst <= 0 { facts.append(String(format: "the fullest window held %.2f fewer than permitted", -worst)) }
    }

    /// After a change of limits, the next call comes as soon as the new limits permit, with the slots that were promised.
    private mutating func judgeReturn(_ calls: [RecordedCall], after change: Double, _ limits: [Limit]) {
        let longest = 6.5 + (limits.map { 1 / $0.rate }.max() ?? 0)
        let next = calls.first.map { $0.at - change }
        facts.append(next.map { String(format: "called again %.1f s after the change", $0) } ?? "not called again")
        if next.map({ $0 > longest }) ?? true { faults.append("THE CHANGED LIMITS STOPPED IT") }
    }

    /// True if the log shows too many calls between two times. After clock steps only the audit can decide. It looks
    /// back only to the last change of the limits, and not across a step backwards.
    private func isTold(_ limit: Limit, _ moments: [Double], _ from: Double, _ to: Double) -> Bool {
        if chronicle.isClockSet {
            return to < .infinity || audit.calls.isExceeded || audit.clockSteps.contains { $0.size < .zero }
        }
        return limit.excess(of: moments.filter { $0 > from && $0 < to }, slack: 0) > 0
    }

    /// How long after a change earlier slots may still be used. Workers hand them back when they notice the change. A
    /// worker that can't notice it keeps them until they are over.
    private func settling(after change: Double, usually usual: Double) -> Double {
        chronicle.events(between: change - 1, and: change + 5).contains(where: \.kind.isOfServer) ? 4.5 : usual
    }

    /// The facts, the faults and the calls around them.
    var text: String {
        let verdict = faults.isEmpty ? "" : " ← " + faults.joined(separator: ", ")
        return (["  \(lane.name): \(facts.joined(separator: ", "))\(verdict)"] + history.map { "     \($0)" })
            .joined(separator: "\n")
    }

    /// These calls, with the faults around their time.
    private func story(of calls: some Collection<RecordedCall>) -> [String] {
        guard let first = calls.first, let last = calls.map(\.at).max() else { return [] }
        let events = chronicle.events(between: first.at - 3, and: last + 0.1).filter {
            $0.kind.isOfServer || $0.to > first.at - 0.3
        }
        return Self.lines(calls)
            + events.map {
                String(format: "%.6f  to %.6f  ", $0.from, $0.to) + "\($0.kind.rawValue): \($0.what)"
            }
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
