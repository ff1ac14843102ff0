package import Queue

extension Finding {
    /// Advice on the finding; nil if it has no cause.
    package var remedy: String? { cause?.remedy }
}

extension Finding.Cause {
    package var remedy: String {
        switch self {
        case .noLeader: "start one with 'waypost coordinator', or read the log of the running one"
        case .noWorker:
            "start one that serves it with 'waypost worker', or resume a quiet one: 'waypost workers list'"
        case .pausedLane(let lane): opening(lane)
        case .stoppedLane(let lane): "repair that, then \(opening(lane))"
        case .blockedLane(let lane): "wait, or \(opening(lane))"
        case .lateCalls(let lane):
            "a worker was stopped just before them: give its machine fewer workers; "
                + "'waypost lanes audit \(lane)' says whether a limit was exceeded"
        case .failingCalls(let lane):
            "repair what that says; 'waypost jobs list --lane \(lane)' has each job with its last failure"
        case .tooFast(let lane):
            "lower its limit with 'waypost lanes limit \(lane) …', and see that nothing else calls with the same key"
        case .outside(let remedy): remedy
        }
    }

    private func opening(_ lane: String) -> String { "'waypost lanes resume \(lane)' restarts it" }
}
