extension Finding {
    /// Advice on the finding; nil if it has no cause.
    package var remedy: String? { cause?.remedy }

    /// The section for operators about it, as a path in the repository; nil if it has no cause.
    package var runbook: String? {
        let alert: String
        switch cause {
        case nil: return nil
        case .noLeader: alert = "WaypostNoLeader"
        case .noWorker: alert = "WaypostNoWorker"
        case .pausedLane, .blockedLane: alert = "WaypostLaneStuck"
        case .stoppedLane: alert = "WaypostLaneStopped"
        case .lateCalls: alert = "WaypostCallsSlipped"
        case .failingCalls: return "docs/operations/jobs.md#why-calls-fail"
        case .tooFast: return "docs/operations/limits.md#when-a-lane-is-slowed-or-stopped"
        case .outside:
            guard let alertOfCheck = Self.alerts[check] else {
                return "docs/operations/jobs.md#what-waypost-doctor-checks"
            }
            alert = alertOfCheck
        }
        return "docs/operations/alerts.md#\(alert.lowercased())"
    }

    private static let alerts = [
        "certificate": "WaypostCertificateEnds", "clock": "WaypostClockSkew", "clock steps": "WaypostClockSet",
        "database": "WaypostDatabaseAway",
    ]
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
