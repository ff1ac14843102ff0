/// One lane at a glance.
package struct LaneState: Sendable {
    package let lane: String
    package let settings: LaneSettings
    package let condition: LaneCondition

    /// None: the lane is unlimited.
    package let limits: [LimitState]

    /// The learned rate, as a share of what the limits permit.
    package let pace: Double

    /// Failed calls in a row, and how often they opened the breaker.
    package let faults: Int
    package let trips: Int

    /// Jobs that may be claimed now.
    package let ready: Int
    /// Jobs that wait for their time to come.
    package let later: Int
    package let held: Int
    package let dead: Int

    /// When the last waiting job may start, in seconds from now.
    package let lastDueIn: Double?

    /// How long the job waits that became due first; nil when none is due.
    package let oldestWaited: Duration?

    /// The moment for which `ready`, `later`, `dead` and `lastDueIn` hold: of large numbers some seconds ago. Since 1970.
    package let countedAt: Duration

    /// Workers that serve the lane and aren't quiet.
    package let workers: Int

    /// What was done, as long as the counters are kept.
    package let calls: Int
    /// What the calls that ended were about: addresses, coordinates or trackers.
    package let subjects: Int
    package let retries: Int
    package let voided: Int
    package let late: Int
    /// Calls that left after their slots had ended.
    package let slipped: Int
    package let slippedRecently: Int

    /// Why calls of the last ten minutes failed; nil where none did.
    package let failures: RecentFailures?
    /// How many calls of this lane a job leads to on average, itself included: after each, its question may be asked in other words.
    package let callsPerJob: Double

    /// Calls that left in the last 60 seconds.
    package internal(set) var callsLastMinute: Int

    /// Calls a second in those of the last five full minutes that had any; nil when none had.
    package let recentRate: Double?

    /// What the database's clock showed, since 1970.
    package let asOf: Duration

    package var batch: Int { settings.batch }
}

extension LaneState {
    /// Calls that the limits permit in a minute; nil for an unlimited lane.
    package var permittedPerMinute: Double? { limits.permitted(in: 60) }

    /// The calls of the jobs that wait, and of the jobs that will follow them in this lane.
    package var callsToCome: Int { Int((Double(ready + later) * callsPerJob).rounded(.up)) }

    /// When the backlog is worked off.
    package var estimate: BacklogEstimate {
        let backlog = callsToCome
        guard backlog > 0 else { return .nothingWaits }
        guard workers > 0 else { return .noWorker }
        var blocked = 0.0
        switch condition {
        case .paused, .stopped: return .paused
        case .blocked(let until, _): blocked = (until - asOf) / .seconds(1)
        case .open, .probing: break
        }
        if !limits.isEmpty { return .limits(.seconds(max(limits.wait(for: backlog, after: blocked), lastDueIn ?? 0))) }
        guard let recentRate else { return .unknown }
        return .recent(
            .seconds(max(blocked + Double(backlog) / recentRate, lastDueIn ?? 0)), perSecond: recentRate)
    }
}

/// Whether a lane gives out jobs.
package enum LaneCondition: Hashable, Sendable {
    case open
    /// A person paused it. Moments are those of the database's clock, since 1970.
    case paused(since: Duration)
    /// The provider refuses our calls: only a person can resume the lane.
    case stopped(since: Duration, because: String)
    /// The provider or the breaker blocked it for a while.
    case blocked(until: Duration, because: String)
    /// The breaker lets single calls through to test whether the provider works again.
    case probing

    /// The state as one word, for programs.
    package var word: String {
        switch self {
        case .open: "open"
        case .paused: "paused"
        case .stopped: "stopped"
        case .blocked: "blocked"
        case .probing: "probing"
        }
    }

    /// Every word that there is.
    package static let words = ["open", "paused", "stopped", "blocked", "probing"]

    init(
        pausedAt: Duration?, pausedBecause: String? = nil, blockedUntil: Duration?, because: String?, isTripped: Bool,
        asOf: Duration
    ) {
        if let pausedAt {
            self = pausedBecause.map { .stopped(since: pausedAt, because: $0) } ?? .paused(since: pausedAt)
        } else if let blockedUntil, blockedUntil > asOf {
            self = .blocked(until: blockedUntil, because: because ?? "no reason was stored")
        } else {
            self = isTripped ? .probing : .open
        }
    }
}

/// Calls of a lane in the last ten minutes, and why the latest failed one failed.
package struct RecentFailures: Hashable, Sendable {
    /// Holds nothing of an address.
    package let reason: String
    /// When that call ended, since 1970.
    package let at: Duration
    package let failed: Int
    package let calls: Int

    package init(reason: String, at: Duration, failed: Int, calls: Int) {
        (self.reason, self.at, self.failed, self.calls) = (reason, at, failed, calls)
    }

    /// A provider that fails now and then does no harm: each call is repeated.
    package var isFrequent: Bool { failed * 10 >= calls }
}

/// How long a lane's backlog takes, and how we know.
package enum BacklogEstimate: Hashable, Sendable {
    case nothingWaits
    /// Unknown while a person keeps the lane paused.
    case paused
    case noWorker
    /// The limits permit the calls in this time. The number of calls for each job is the recent average.
    case limits(Duration)
    /// Without limits: at the rate of the last full minutes.
    case recent(Duration, perSecond: Double)
    /// Without limits, and nothing was done lately.
    case unknown
}
