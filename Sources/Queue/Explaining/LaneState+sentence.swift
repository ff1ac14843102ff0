import Processes

extension LaneState {
    /// `blocked until 10:05:00 because the provider asked for a pause`
    package var conditionText: String {
        switch condition {
        case .open: "open"
        case .stopped(let since, let because): "stopped since \(Words.time(since, asOf: asOf)): \(because)"
        case .paused(let since): "paused since \(Words.time(since, asOf: asOf))"
        case .blocked(let until, let because): "blocked until \(Words.time(until, asOf: asOf)) because \(because)"
        case .probing: "probing after \(Words.count(faults, "failed call"))"
        }
    }
}

extension LaneState {
    /// Why the tokens of a limit are below zero, as a sentence; nil if they are not.
    package var debtText: String? {
        guard limits.contains(where: { $0.tokens < 0 }) else { return nil }
        if slotsToCome > 0 { return "Tokens below zero: \(Words.count(slotsToCome, "slot")) still to come." }
        let since = "the limits changed \(Readable.duration(max(.zero, asOf - limitsChangedAt))) ago"
        return
            "Tokens below zero: they pay for slots that were promised before \(since), or for calls that left too late."
    }

    /// `the next call in 3 h`; nil if it may start within a minute.
    var nextCallText: String? {
        let wait = limits.wait(for: 1)
        return wait > 60
            ? "its limits (\(limits.text)) permit the next call in \(Readable.duration(Duration(clampingSeconds: wait)))"
            : nil
    }
}

extension RecentFailures {
    /// `12 of 40 calls failed in the last 10 minutes`
    var share: String { "\(Readable.count(failed)) of \(Words.count(calls, "call")) failed in \(Self.words)" }

    /// `12 of 40 calls failed in the last 10 minutes, the last 3 s ago: nominatim answered 500`
    package func sentence(asOf now: Duration) -> String {
        "\(share), the last \(Readable.duration(now - at)) ago: \(reason)"
    }
}

extension BacklogEstimate {
    /// The estimated time, such as `45 s`, or the reason why there is none.
    package var text: String {
        switch self {
        case .nothingWaits: "-"
        case .paused: "paused"
        case .noWorker: "no worker"
        case .limits(let duration): Readable.duration(duration)
        case .recent(let duration, _): "\(Readable.duration(duration))*"
        case .unknown: "unknown"
        }
    }

    package var seconds: Double? {
        switch self {
        case .nothingWaits: 0
        case .limits(let duration), .recent(let duration, _): duration / .seconds(1)
        case .paused, .noWorker, .unknown: nil
        }
    }

    /// The basis of the estimate, in short.
    package var basis: String {
        switch self {
        case .nothingWaits: "nothing waits"
        case .paused: "paused"
        case .noWorker: "no worker"
        case .limits: "limits"
        case .recent: "recent rate"
        case .unknown: "unknown"
        }
    }
}
