import Postgres
import Processes

/// Findings about lanes, from the log of calls.
extension Doctor {
    private static let latestCalls = 100
    /// Calls that take longer than this are reported if half of the latest ones do.
    private static let slowCall = Duration.seconds(5)

    /// Reports lanes whose recent calls failed, were refused, were lost, or were slow.
    func calls(of lanes: [LaneState], on database: isolated Connection) throws -> [Finding] {
        let latest = try queue.latestCalls(Self.latestCalls, on: database)
        return lanes.flatMap { lane in
            let calls = (latest[lane.lane] ?? []).filter { lane.asOf - $0.at < RecentFailures.time }
            return [failures(of: lane), refusals(of: lane, calls), losses(of: lane, calls), slowness(of: lane, calls)]
                .compactMap(\.self)
        }
    }

    /// Reports why calls fail. Skips a lane whose block already shows this reason.
    private func failures(of lane: LaneState) -> Finding? {
        guard let failures = lane.failures, failures.isFrequent else { return nil }
        if let because = lane.condition.reason, because.hasSuffix(failures.reason) { return nil }
        return .warning(
            "lane \(lane.lane)",
            "\(failures.failed) of \(failures.calls) calls of \(RecentFailures.words) failed; the last: \(failures.reason)",
            .failingCalls(lane: lane.lane))
    }

    private func refusals(of lane: LaneState, _ calls: [LoggedCall]) -> Finding? {
        let refused = calls.count { $0.outcome == .rate }
        guard refused > 0 else { return nil }
        return .warning(
            "lane \(lane.lane)", "its provider refused \(refused) of the latest \(calls.count) calls as too fast (429)",
            .tooFast(lane: lane.lane))
    }

    private func losses(of lane: LaneState, _ calls: [LoggedCall]) -> Finding? {
        let lost = calls.count { $0.outcome == .lost }
        guard lost > 0 else { return nil }
        return .warning(
            "lane \(lane.lane)",
            "\(lost) of the latest \(calls.count) calls were lost with a worker that was killed or fell silent",
            "see the log of the leading coordinator for its name, and look at its host")
    }

    private func slowness(of lane: LaneState, _ calls: [LoggedCall]) -> Finding? {
        let times = calls.compactMap(\.took).sorted()
        // Fewer calls prove nothing.
        guard times.count >= 5, case let median = times[times.count / 2], median >= Self.slowCall else { return nil }
        return .warning(
            "lane \(lane.lane)",
            "its calls are slow: half of the latest \(times.count) took \(Readable.duration(median)) or longer",
            "ask its provider why; until then more calls at once make up for it: WAYPOST_CALLS_AT_ONCE of the workers")
    }
}

extension LaneCondition {
    /// The reason if a provider or the breaker closed the lane; nil if a person did, or if the lane is open.
    package var reason: String? {
        switch self {
        case .stopped(_, let because), .blocked(_, let because): because
        case .open, .paused, .probing: nil
        }
    }
}
