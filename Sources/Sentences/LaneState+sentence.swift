package import Queue
import Wording

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

extension RecentFailures {
    /// `12 of 40 calls failed in the last 10 minutes, the last 3 s ago: nominatim answered 500`
    package func sentence(asOf now: Duration) -> String {
        "\(Readable.count(failed)) of \(Words.count(calls, "call")) failed in the last 10 minutes, the last "
            + "\(Readable.duration(now - at)) ago: \(reason)"
    }
}
