/// Decides when a person has waited long enough for lanes that make no progress by themselves.
///
/// A lane that is only slow, because of its limits or because of a long call, is waited for.
package struct Standstill: Sendable {
    /// How long a command waits without an answer, unless a person sets another time.
    package static let limit = Duration.seconds(20)

    private var waiting: Int?
    private var since = ContinuousClock.now

    package init() {}

    /// Returns true if `waiting`, the number of questions without an answer, has not changed for the limit, while no
    /// lane with jobs made calls that succeed.
    package mutating func isOver(
        waiting: Int, in lanes: [LaneState], workers: Int, at now: ContinuousClock.Instant
    ) -> Bool {
        let busy = lanes.filter { $0.ready + $0.later + $0.held > 0 }
        let isStuck = workers == 0 || !busy.isEmpty && busy.allSatisfy(\.isStuck)
        guard isStuck, waiting == self.waiting else {
            (self.waiting, since) = (isStuck ? waiting : nil, now)
            return false
        }
        return now - since >= Self.limit
    }
}

extension LaneState {
    /// True if the lane makes no calls, or at least half of its calls fail.
    var isStuck: Bool {
        switch condition {
        case .stopped, .paused, .blocked: true
        case .open, .probing: workers == 0 || failures.map { $0.failed * 2 >= $0.calls } ?? false
        }
    }
}
