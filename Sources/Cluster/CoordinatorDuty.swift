package import Queue

/// One of the things that a leader does. Each may be done any number of times.
package enum CoordinatorAct: String, Sendable, CaseIterable {
    case rescue
    case hash
    case settle
    case enqueue
    case expire
    case divert
    case upload
    case raisePaces = "raise paces"
    case partitions
    case rollUp = "roll up"
    case sleepers
    case tallies
    case backlogs
    case acts

    /// How long it can wait to be done again. What a person may be waiting for is done in each round.
    var pause: Duration {
        switch self {
        case .rescue, .hash, .enqueue, .settle: .zero
        case .tallies, .backlogs: .seconds(2)
        case .raisePaces: .seconds(2)
        case .expire, .divert, .upload: .seconds(10)
        case .partitions, .rollUp, .sleepers, .acts: .seconds(600)
        }
    }
}

/// What a coordinator remembers from one round to the next: whether it leads, and what it did when.
package struct CoordinatorDuty: Sendable {
    /// The term of its lead; nil for a stand-by.
    package internal(set) var term: Leadership.Term?

    /// The database's clock, as it went since the last round. Silence and leases count by it.
    var clock: ServerClock

    /// Set until it is known that the clock was not set before this coordinator began. Until then it does not act.
    var acquaintance: ClockAcquaintance?

    private var next: [CoordinatorAct: ContinuousClock.Instant] = [:]

    package init() { self.init(clock: ServerClock(), knowsClock: true) }

    init(clock: ServerClock, knowsClock: Bool) {
        self.clock = clock
        if !knowsClock { acquaintance = ClockAcquaintance() }
    }

    /// The acts whose time has come. A new leader knows nothing of the last one's, and does everything at once.
    package func due(at instant: ContinuousClock.Instant) -> [CoordinatorAct] {
        CoordinatorAct.allCases.filter { act in next[act].map { $0 <= instant } ?? true }
    }

    /// Notes that an act was done, or tried, and need not be for a while.
    package mutating func finish(_ act: CoordinatorAct, at instant: ContinuousClock.Instant) {
        next[act] = instant + act.pause
    }

    mutating func begin(_ term: Leadership.Term?) {
        guard term != self.term else { return }
        self.term = term
        next = [:]
    }
}
