extension Finding {
    /// Advice on the finding; nil if it has no cause.
    package var remedy: String? { cause?.remedy }
}

extension Finding.Cause {
    /// The cause as one word, for programs.
    package var word: String {
        switch self {
        case .noLeader: "no_leader"
        case .noWorker: "no_worker"
        case .pausedLane: "paused_lane"
        case .stoppedLane: "stopped_lane"
        case .blockedLane: "blocked_lane"
        case .lateCalls: "late_calls"
        case .failingCalls: "failing_calls"
        case .tooFast: "too_fast"
        case .outside: "outside"
        }
    }

    /// Advice without commands, because a reader of the API has none.
    package var remedy: String {
        switch self {
        case .noLeader: "read the log of the running coordinator, or start one"
        case .noWorker: "resume a quiet worker, or start one that serves the lane"
        case .pausedLane: "resume the lane"
        case .stoppedLane: "repair that, then resume the lane"
        case .blockedLane: "wait, or resume the lane"
        case .lateCalls:
            "a worker was stopped just before them: give its machine fewer workers, and audit the lane's limits"
        case .failingCalls: "repair what that says; each job of the lane has its last failure"
        case .tooFast: "see that nothing else calls with the same key, and lower the lane's limit"
        case .outside(let remedy): remedy
        }
    }
}
