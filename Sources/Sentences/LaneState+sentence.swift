package import Queue

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

extension LaneCondition {
    /// What made a provider or the breaker close the lane; nil where a person did, and where it is open.
    package var reason: String? {
        switch self {
        case .stopped(_, let because), .blocked(_, let because): because
        case .open, .paused, .probing: nil
        }
    }
}
