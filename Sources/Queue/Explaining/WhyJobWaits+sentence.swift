import Processes

extension WhyJobWaits {
    /// The reason in one sentence, for the person on call.
    package func sentence(job: Int, lane: LaneState) -> String {
        let (name, now) = (lane.lane, lane.asOf)
        func time(_ moment: Duration) -> String { Words.time(moment, asOf: now) }
        func wait(until moment: Duration) -> String { Readable.duration(moment - now) }
        return switch self {
        case .unknown:
            "there is no job \(job): it has ended, or never existed"
        case .dead(let since, let reason):
            "Job \(job) has been dead since \(time(since)): \(reason.asClause)."
        case .held(let holder, let startsAt):
            "Job \(job) is held by \(holder.text); "
                + (startsAt > now
                    ? "its call may start in \(wait(until: startsAt))."
                    : "its call could start \(Readable.duration(now - startsAt)) ago.")
        case .stopped(let since, let because):
            "Job \(job) waits because lane \(name) has been stopped since \(time(since)): \(because)."
        case .paused(let since):
            "Job \(job) waits because lane \(name) has been paused since \(time(since))."
        case .blocked(let until, let because):
            "Job \(job) waits because lane \(name) is blocked until \(time(until)) "
                + "(in \(wait(until: until))): \(because)."
        case .scheduled(let until, let failures, let last):
            "Job \(job) is scheduled for \(time(until)) (in \(wait(until: until)))"
                + (failures == 0
                    ? "."
                    : ", after \(Words.count(failures, "failure"))" + (last.map { "; the last: \($0.asClause)" } ?? "")
                        + ".")
        case .noWorker(let quiet):
            quiet == 0
                ? "Job \(job) is ready, and no worker serves lane \(name)."
                : "Job \(job) is ready, and every worker that serves lane \(name) is quiet."
        case .probing(let ahead):
            "Job \(job) waits\(behind(ahead)): after \(Words.count(lane.faults, "failed call")) in a row"
                + (lane.failures.map { " (the last: \($0.reason.asClause))" } ?? "")
                + ", lane \(name) permits one call at a time until one succeeds."
        case .full(let callsAtOnce, let ahead):
            "Job \(job) waits\(behind(ahead)): lane \(name) permits \(Words.count(callsAtOnce, "call")) at once, "
                + "and \(callsAtOnce == 1 ? "it is" : "all are") under way."
        case .limits(0, _, let own):
            "Job \(job) goes next in lane \(name), and the limits permit its call in \(Readable.duration(own))."
        case .limits(let ahead, let next, let own):
            "Job \(job) waits\(behind(ahead)), and the limits permit the next call "
                + (next > .zero ? "in \(Readable.duration(next))" : "now")
                + "; at \(rate(of: lane, for: ahead + 1)) that is about \(Readable.duration(own))."
        case .behind(0):
            "Job \(job) is ready and goes next in lane \(name); its "
                + "\(Words.count(lane.workers, "worker")) will take it at the next claim."
        case .behind(let ahead):
            "Job \(job) waits\(behind(ahead)) in lane \(name), and nothing but its "
                + "\(Words.count(lane.workers, "worker")) limits the speed."
        }
    }

    private func behind(_ ahead: Int) -> String {
        ahead == 0 ? "" : " behind \(Words.count(ahead, "other"))"
    }

    /// The limit that makes the job wait longest.
    private func rate(of lane: LaneState, for count: Int) -> String {
        let slowest = lane.limits.max { $0.wait(for: count) < $1.wait(for: count) }
        guard let slowest else { return "no limit" }
        let pace = Readable.percent(Int(clamping: slowest.pace * 100), of: 100)
        return slowest.limit.rateText + (slowest.pace < 1 ? ", slowed to \(pace)," : "")
    }

    /// The reason as one word, for programs.
    package var word: String {
        switch self {
        case .unknown: "unknown"
        case .dead: "dead"
        case .held: "held"
        case .paused: "paused"
        case .stopped: "stopped"
        case .blocked: "blocked"
        case .scheduled: "scheduled"
        case .noWorker: "no worker"
        case .probing: "probing"
        case .full: "full"
        case .limits: "limits"
        case .behind: "behind"
        }
    }
}

extension JobState.Holder {
    package var text: String {
        guard let name, let host else { return "worker \(id), which is gone" }
        return "worker \(name) (\(host))"
    }
}

extension String {
    /// Without the final full stop, because it becomes a part of another sentence.
    fileprivate var asClause: String { hasSuffix(".") ? String(dropLast()) : self }
}
