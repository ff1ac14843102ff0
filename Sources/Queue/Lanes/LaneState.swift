import Postgres
import Processes

/// The state of one lane.
package struct LaneState: Sendable {
    package let lane: String
    package let kind: LaneKind
    package let settings: LaneSettings
    package let condition: LaneCondition

    /// Empty for an unlimited lane.
    package let limits: [LimitState]

    /// The share of the limits that the lane uses at present.
    package let pace: Double

    /// Failed calls in a row, and how often they opened the breaker.
    package let faults: Int
    package let trips: Int

    /// Jobs that may be claimed now.
    package let ready: Int
    /// Jobs that wait for a later time.
    package let later: Int
    package let held: Int
    package let dead: Int

    /// Held jobs whose slots are still to come.
    let slotsToCome: Int
    /// The time since which the limits hold, since 1970.
    let limitsChangedAt: Duration

    /// When the last waiting job may start, in seconds from now.
    let lastDueIn: Double?

    /// How long the job that became due first has waited; nil if no job is due.
    package let oldestWaited: Duration?

    /// When `ready`, `later`, `dead` and `lastDueIn` were counted, since 1970. Large numbers may be some seconds old.
    package let countedAt: Duration

    /// Workers that serve the lane and aren't quiet.
    package let workers: Int

    /// The work done, for as long as the counters are kept.
    package let calls: Int
    /// The subjects of calls that ended: addresses, coordinates or trackers.
    package let subjects: Int
    package let retries: Int
    package let voided: Int
    package let late: Int
    /// Calls that were sent after their slots had ended.
    package let slipped: Int
    package let slippedRecently: Int

    /// The calls that failed recently; nil if none did.
    package let failures: RecentFailures?
    /// The calls of the waiting jobs, and of the jobs that will follow waiting and held jobs in this lane: after a call, a
    /// question may be asked in other words.
    let callsToCome: Int

    /// Calls that were sent in the last 60 seconds.
    package internal(set) var callsLastMinute: Int

    /// Calls a second, in those of the last five full minutes that had calls; nil if none had.
    let recentRate: Double?

    /// The database's clock, since 1970.
    package let asOf: Duration

    package var batch: Int { settings.batch }
}

extension LaneState {
    /// Calls that the limits permit in a minute; nil for an unlimited lane.
    var permittedPerMinute: Double? { limits.permitted(in: 60) }

    /// The part of the permitted calls that was used in the last 60 seconds; nil for an unlimited lane.
    package var usedShare: Double? { permittedPerMinute.map { Double(callsLastMinute) / $0 } }

    /// Seconds until the block ends; zero if the lane is not blocked.
    var blockedSeconds: Double { condition.blockedUntil.map { max(0, ($0 - asOf) / .seconds(1)) } ?? 0 }

    /// When the backlog will be done.
    package var estimate: BacklogEstimate {
        let backlog = callsToCome
        guard backlog > 0 else { return .nothingWaits }
        guard workers > 0 else { return .noWorker }
        guard condition.pausedSince == nil else { return .paused }
        let blocked = blockedSeconds
        func longer(_ seconds: Double) -> Duration { Duration(clampingSeconds: max(seconds, lastDueIn ?? 0)) }
        if !limits.isEmpty { return .limits(longer(limits.wait(for: backlog, after: blocked))) }
        guard let recentRate else { return .unknown }
        return .recent(longer(blocked + Double(backlog) / recentRate), perSecond: recentRate)
    }
}

/// The state that decides if a lane gives out jobs.
package enum LaneCondition: Hashable, Sendable {
    case open
    /// A person paused it. Moments are on the database's clock, since 1970.
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

    /// When a person paused the lane, or the provider stopped it.
    package var pausedSince: Duration? {
        switch self {
        case .paused(let since), .stopped(let since, _): since
        case .open, .blocked, .probing: nil
        }
    }

    package var blockedUntil: Duration? {
        if case .blocked(let until, _) = self { until } else { nil }
    }

    /// All words for states.
    package static let words = ["open", "paused", "stopped", "blocked", "probing"]

    /// The reason why a lane is stopped in a copy of the cluster's database.
    package static let copied =
        "this database is a copy, and the original may use the limit; 'waypost migrate --restored' ends that"

    /// `obstacle` and `is_probing` are the results of the SQL functions by which a claim decides.
    init(_ row: Row) throws {
        switch try row.readIfPresent("obstacle").flatMap(Obstacle.init(rawValue:)) {
        case .paused:
            let since: Duration = try row.read("paused")
            self =
                try row.readIfPresent("paused_because").map { .stopped(since: since, because: $0) }
                ?? .paused(since: since)
        case .copied: self = .stopped(since: try row.read("as_of"), because: Self.copied)
        case .blocked: self = .blocked(until: try row.read("blocked"), because: try row.read("blocked_because"))
        default: self = try row.read("is_probing") ? .probing : .open
        }
    }
}

/// The recent calls of a lane, and the reason of the latest failure.
package struct RecentFailures: Hashable, Sendable {
    /// Contains nothing of an address.
    package let reason: String
    /// When that call ended, since 1970.
    package let at: Duration
    package let failed: Int
    package let calls: Int

    package init(reason: String, at: Duration, failed: Int, calls: Int) {
        (self.reason, self.at, self.failed, self.calls) = (reason, at, failed, calls)
    }

    /// How long calls and failures are reported as recent. `recent_time()` of the database is the same.
    static let time: Duration = .seconds(600)
    static let words = "the last \(Words.count(Int(time / .seconds(60)), "minute"))"

    /// False for a provider that fails rarely, which is harmless: each call is repeated.
    var isFrequent: Bool { failed * 10 >= calls }
}

/// How long a lane's backlog takes, and the basis of the estimate.
package enum BacklogEstimate: Hashable, Sendable {
    case nothingWaits
    /// Unknown while a person keeps the lane paused.
    case paused
    case noWorker
    /// The limits permit the calls in this time. How many calls follow is learned from recent ones.
    case limits(Duration)
    /// Without limits: at the rate of the last full minutes.
    case recent(Duration, perSecond: Double)
    /// Without limits and without recent calls.
    case unknown
}
