import Processes

/// The one thing that a job waits for at present. If there are several, the one that lasts longest.
package enum WhyJobWaits: Equatable, Sendable {
    /// The job ended or never existed.
    case unknown
    /// Moments are on the database's clock, since 1970.
    case dead(since: Duration, reason: String)
    case held(by: JobState.Holder, startsAt: Duration)
    case paused(since: Duration)
    case stopped(since: Duration, because: String)
    case blocked(until: Duration, because: String)
    case scheduled(until: Duration, failures: Int, lastReason: String?)
    /// No worker serves the lane, or all its workers are quiet.
    case noWorker(quiet: Int)
    /// After the breaker opened, a single call probes.
    case probing(ahead: Int)
    /// As many calls are under way as the lane permits at once.
    case full(callsAtOnce: Int, ahead: Int)
    /// The limits delay the call: `next` is when the lane's next call may start, and `own` when this job's may, after
    /// the jobs ahead.
    case limits(ahead: Int, next: Duration, own: Duration)
    /// Only the jobs ahead delay it, if any.
    case behind(ahead: Int)
}

/// The facts that decide about a waiting job.
package struct JobCircumstances: Sendable {
    package var job: JobState
    package var lane: LaneState

    /// Ready jobs of the lane that go first.
    package var ahead: Int
    var quietWorkers: Int

    package init(job: JobState, lane: LaneState, ahead: Int, quietWorkers: Int) {
        self.job = job
        self.lane = lane
        self.ahead = ahead
        self.quietWorkers = quietWorkers
    }
}

extension WhyJobWaits {
    package init(_ circumstances: JobCircumstances?) {
        guard let circumstances else {
            self = .unknown
            return
        }
        let (job, lane, ahead) = (circumstances.job, circumstances.lane, circumstances.ahead)
        if job.kind == .dead {
            self = .dead(since: job.moment, reason: job.reason ?? "no reason was stored")
        } else if let worker = job.worker {
            self = .held(by: worker, startsAt: job.moment)
        } else if case .paused(let since) = lane.condition {
            self = .paused(since: since)
        } else if case .stopped(let since, let because) = lane.condition {
            self = .stopped(since: since, because: because)
        } else if case .blocked(let until, let because) = lane.condition, until >= job.moment {
            self = .blocked(until: until, because: because)
        } else if job.kind == .later {
            self = .scheduled(until: job.moment, failures: job.failures, lastReason: job.reason)
        } else if lane.workers == 0 {
            self = .noWorker(quiet: circumstances.quietWorkers)
        } else if lane.condition == .probing {
            self = .probing(ahead: ahead)
        } else if let most = lane.settings.callsAtOnce, lane.held >= most {
            self = .full(callsAtOnce: most, ahead: ahead)
        } else if lane.limits.wait(for: ahead + 1) > 0 {
            self = .limits(
                ahead: ahead, next: Duration(clampingSeconds: lane.limits.wait(for: 1)),
                own: Duration(clampingSeconds: lane.limits.wait(for: ahead + 1)))
        } else {
            self = .behind(ahead: ahead)
        }
    }
}
