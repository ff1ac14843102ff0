package import Queue

/// One of the tasks of a leader. Each may be repeated any number of times.
package enum CoordinatorAct: String, Sendable, CaseIterable {
    case rescue
    case hash
    case settle
    case enqueue
    case expire
    case divert
    case upload
    case tell
    case partitions
    case rollUp = "roll up"
    case sleepers
    case tallies
    case backlogs
    case acts
    case files

    /// The time between two steps of this act. Acts that a person may be waiting for run in each round.
    var pause: Duration {
        switch self {
        case .rescue, .hash, .enqueue, .settle: .zero
        case .tell, .tallies, .backlogs: .seconds(2)
        case .expire, .divert, .upload, .files: .seconds(10)
        case .partitions, .rollUp, .sleepers, .acts: .seconds(600)
        }
    }
}

/// The state of a coordinator between two rounds: its lead, and when each act is due.
package struct CoordinatorDuty: Sendable {
    /// The term of its lead; nil for a stand-by.
    package internal(set) var term: Leadership.Term?

    /// The database's clock as known from the last round. Silence and leases are measured by it.
    var clock: ServerClock

    /// Set until it is known that the clock was not set before this coordinator started. Until then the coordinator
    /// does not act.
    var acquaintance: ClockAcquaintance?

    private var next: [CoordinatorAct: ContinuousClock.Instant] = [:]

    package init() { self.init(clock: ServerClock(), knowsClock: true) }

    init(clock: ServerClock, knowsClock: Bool) {
        self.clock = clock
        if !knowsClock { acquaintance = ClockAcquaintance() }
    }

    /// Returns the acts that are due. A new leader knows nothing of the last one's acts, so every act is due at once.
    package func due(at instant: ContinuousClock.Instant) -> [CoordinatorAct] {
        CoordinatorAct.allCases.filter { act in next[act].map { $0 <= instant } ?? true }
    }

    /// Notes that an act was done, or tried, and when it is due again.
    package mutating func finish(_ act: CoordinatorAct, at instant: ContinuousClock.Instant) {
        next[act] = instant + act.pause
    }

    mutating func begin(_ term: Leadership.Term?) {
        guard term != self.term else { return }
        self.term = term
        next = [:]
    }
}
