package import Queue

extension LaneState: Shaped {
    package static let shape = Shape<LaneState>("Lane", "A lane with its limits, its settings and its state.") {
        Member("name", "The provider's name, or `upload:` and the sink's.", example: "gazetteer") { $0.lane }
        Member("kind", "`upload`: the lane of a sink, whose jobs have trackers.") { $0.kind }
        Member("state", "Open gives out jobs.", example: "open") { $0.condition.word }.choices(LaneCondition.words)
        Member("because", "Why it is stopped or blocked.") { $0.condition.reason }
        Member("paused_since", "In seconds since 1970, while a person keeps it paused or stopped.") {
            $0.condition.pausedSince
        }
        Member("blocked_until", "In seconds since 1970, while it is blocked.") { $0.condition.blockedUntil }
        Member("failures", "The failed calls of the last ten minutes; null if none failed.") { $0.failures }
        Member("limits", "Empty for an unlimited lane.") { $0.limits }
        Member("pace", "The share of the limits that it uses at present.", example: 1) { $0.pace }.bounds(0, 1)
        Member("faults", "Failed calls in a row.", example: 0) { $0.faults }
        Member("trips", "How often they opened the breaker.", example: 0) { $0.trips }
        Member("batch", "The most subjects of a call.", example: 500) { $0.batch }.bounds(1)
        Member("ready", "Jobs that may be claimed now.", example: 1) { $0.ready }
        Member("later", "Jobs that wait for a later time.", example: 0) { $0.later }
        Member("held", "Jobs in the hands of workers.", example: 0) { $0.held }
        Member("dead", "Jobs that failed too often.", example: 0) { $0.dead }
        Member("workers", "Workers that serve it and aren't quiet.", example: 0) { $0.workers }
        Member("calls", "All calls so far.", example: 0) { $0.calls }
        Member("retries", "Calls of these that repeated a failed one.", example: 0) { $0.retries }
        Member("voided", "Slots that passed without a call.", example: 0) { $0.voided }
        Member("late", "Results that came after the job's lease had ended.", example: 0) { $0.late }
        Member("slipped", "Calls that left after their slots had ended.", example: 0) { $0.slipped }
        Member("calls_last_minute", "Calls that left in the last 60 seconds, running ones included.", example: 0) {
            $0.callsLastMinute
        }
        Member("used_share", "The share of the permitted calls that the last 60 seconds used.") { $0.usedShare }
        Member("oldest_wait_seconds", "How long the job has waited that became due first.") { $0.oldestWaited }
        Member("done_in_seconds", "When the backlog will be done; null if that is unknown.") { $0.estimate.seconds }
        Member("done_basis", "What this estimate is based on.", example: "nothing waits") { $0.estimate.basis }
        Member(
            "counted_at", "When `ready`, `later` and `dead` were counted, since 1970.", example: .seconds(1_795_169_700)
        ) {
            $0.countedAt
        }
        Member("settings") { $0.settings }
    }
}

extension LaneKind: JSONRepresentable {}

extension RecentFailures: Shaped {
    package static let shape = Shape<RecentFailures>("RecentFailures", "The calls of a lane in the last ten minutes.") {
        Member("reason", "Of the latest failure. It contains nothing of an address.", example: "timeout") { $0.reason }
        Member("at", "When that call ended, in seconds since 1970.", example: .seconds(1_795_169_700)) { $0.at }
        Member("failed", example: 1) { $0.failed }.bounds(1)
        Member("calls", "All calls, also those that never left.", example: 40) { $0.calls }.bounds(1)
    }
}

extension LimitState: Shaped {
    package static let shape = Shape<LimitState>("Limit", "A limit of a lane, and how much of it is left.") {
        Including { $0.limit }
        Member("tokens", "Calls that may start now; below 0 if slots are promised ahead.", example: 1) { $0.tokens }
        Member("spread_seconds", "The widest uncertainty of the clock among its workers.", example: .zero) {
            $0.spread
        }
        Member("burst_for_distance", "The part of the burst that pays for this.", example: 0) { $0.burstForDistance }
        Member("gap_seconds", "The pause between two workers' calls that pays for the rest.", example: 0) { $0.gap }
    }
}

extension RateLimit: Shaped {
    package static let shape = Shape<RateLimit>("RateLimit", "A number of calls in a time.") {
        Member("limit", "As in `waypost lanes limit`.", example: "1/s") { $0.text }
        Member("calls", example: 1) { $0.calls }
        Member("per_seconds", example: .seconds(1)) { $0.per }
        Member("burst", "In any window of t seconds: at most burst + t · rate.", example: 1) { $0.burst }
    }
}

extension LaneSettings: Shaped {
    package static let shape = Shape<LaneSettings>("LaneSettings", "The settings of a lane, except its limits.") {
        for setting in LaneSetting.all { Member(setting) }
    }
}

extension LaneSetting.Value {
    fileprivate var count: Int? { if case .count(let count) = self { count } else { nil } }
    fileprivate var time: Duration { if case .time(let time) = self { time } else { .zero } }
    fileprivate var price: Price? { if case .price(let price) = self { price } else { nil } }
}

extension Member<LaneSettings> {
    fileprivate init(_ setting: LaneSetting) {
        let (name, help, example) = (setting.member, setting.help, setting.example)
        switch setting.values {
        case .count(let range, canBeNone: true):
            self = Member(name, help, example: example.count) { setting.read($0).count }
                .bounds(Double(range.lowerBound), Double(range.upperBound))
        case .count(let range, canBeNone: false):
            self = Member(name, help, example: example.count ?? 0) { setting.read($0).count ?? 0 }
                .bounds(Double(range.lowerBound), Double(range.upperBound))
        case .time(let range):
            self = Member(name, help, example: example.time) { setting.read($0).time }
                .bounds(range.lowerBound / .seconds(1), range.upperBound / .seconds(1))
        case .price: self = Member(name, help) { setting.read($0).price }
        }
    }
}

extension Price: Shaped {
    package static let shape = Shape<Price>("Price", "What 1,000 calls cost.") {
        Member("per_1000_calls", example: 5) { $0.per1000Calls }.bounds(0, 1e9)
        Member("currency", "ISO 4217.", example: "EUR") { $0.currency }.pattern("^[A-Z]{3}$")
    }
}

/// The sums over all lanes.
package struct QueueTotals: Shaped {
    let lanes: [LaneState]

    package init(_ lanes: [LaneState]) { self.lanes = lanes }

    private func sum(_ count: (LaneState) -> Int) -> Int { lanes.map(count).reduce(0, +) }

    package static let shape = Shape<QueueTotals>("Queue", "The sums over all lanes.") {
        Member("ready", example: 0) { $0.sum(\.ready) }
        Member("later", example: 0) { $0.sum(\.later) }
        Member("held", example: 0) { $0.sum(\.held) }
        Member("dead", example: 0) { $0.sum(\.dead) }
        Member("calls_last_minute", example: 0) { $0.sum(\.callsLastMinute) }
        Member("shut_lanes", "Lanes that give out no jobs.", example: []) {
            $0.lanes.filter { $0.condition != .open && $0.condition != .probing }.map(\.lane)
        }
    }
}

extension LaneAudit: Shaped {
    package static let shape = Shape<LaneAudit>("LaneAudit", "The log of calls, compared with the lane's limits.") {
        Member("lane", example: "nominatim") { $0.lane }
        Member("seconds", "How far it looks back.", example: .seconds(3_600)) { $0.time }
        Member("since", "When the audit begins, in seconds since 1970.", example: .seconds(1_795_166_100)) { $0.since }
        Member("calls", example: 1_200) { $0.calls.calls }
        Member("span_seconds", "From the first call to the last.", example: 3_599.1) { $0.calls.span }
        Member("is_exceeded") { $0.calls.isExceeded }
        Member("slipped", "Calls that left after their slots had ended.", example: 0) { $0.slipped }
        Member("unclear", "Calls of a time that the clock showed twice; they are left out.", example: 0) { $0.unclear }
        Member("limits") { $0.calls.limits }
        Member("steps", "The calls as a staircase, thinned if they are many.") { $0.staircase.steps }
        Member("outcomes") { $0.outcomes }
    }
}

extension LimitAudit: Shaped {
    package static let shape = Shape<LimitAudit>("LimitAudit", "The calls next to what one limit permits.") {
        Including { $0.limit }
        Member("most_in_period", "The most calls in any period of the limit.", example: 2) { $0.mostInPeriod }
        Member("permitted_in_period", example: 2) { $0.permittedInPeriod }
        Member("excess", "The calls above the limit in the worst window.", example: 0) { $0.excess }
        Member("used_share", example: 0.33) { $0.usedShare }
        Member("is_exceeded") { $0.isExceeded }
    }
}

extension CallStaircase.Step: Shaped {
    package static let shape = Shape<CallStaircase.Step>("AuditStep", "A call, and how many calls there were up to it.")
    {
        Member("at", "Seconds from `since`.", example: 12.5) { $0.at }
        Member("calls", "Calls up to then, this one included.", example: 1) { $0.calls }.bounds(1)
        Member("room", "The calls that each limit still permits right after this one.", example: [0]) { $0.room }
    }
}

extension LaneAudit.Outcome: Shaped {
    package static let shape = Shape<LaneAudit.Outcome>("AuditOutcome", "The calls that ended in one way.") {
        Member("outcome", example: "done") { $0.outcome }
        Member("calls", example: 1_200) { $0.calls }
        Member("subjects", example: 1_200) { $0.subjects }
        Member("average_seconds", example: .milliseconds(200)) { $0.averageTook }
    }
}
