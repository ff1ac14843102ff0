/// The reason why an address waits, for clients that may not see the cluster: without numbers of jobs, workers or
/// hosts.
package struct WaitReason: Hashable, Sendable {
    package let lane: String
    /// A word of ``WhyJobWaits/word``.
    package let why: String
    /// How long the reason lasts; nil if that is unknown.
    package let seconds: Double?

    /// The reason of one job.
    package init(_ circumstances: JobCircumstances) {
        let (why, lane) = (WhyJobWaits(circumstances), circumstances.lane)
        self.lane = lane.lane
        self.why = why.word
        seconds =
            switch why {
            case .held(_, let moment), .blocked(let moment, _), .scheduled(let moment, _, _):
                max(0, (moment - lane.asOf) / .seconds(1))
            case .limits(_, _, let own): own / .seconds(1)
            case .unknown, .dead, .paused, .stopped, .noWorker, .probing, .full, .behind: nil
            }
    }

    /// The reason of everything that waits in a lane.
    package init(_ lane: LaneState) {
        self.lane = lane.lane
        why =
            switch lane.condition {
            case .paused, .stopped, .blocked, .probing: lane.condition.word
            case .open: lane.workers == 0 ? "no worker" : lane.limits.isEmpty ? "behind" : "limits"
            }
        seconds = lane.estimate.seconds
    }
}
