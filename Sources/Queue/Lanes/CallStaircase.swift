/// The calls of an audit as a picture: how many there were up to a moment, and how many more each limit would have permitted then.
///
/// What was permitted up to a call is `calls + room`. It rises at the limit's rate until the bucket is full, at `calls + burst`. Calls
/// that never reach it kept the limit in every window: it is the audit's own reckoning, drawn.
package struct CallStaircase: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// Seconds from the beginning of the audit.
        package let at: Double
        /// Calls up to this one, it included.
        package let calls: Int
        /// For each limit, the calls that it would still have permitted right after this one.
        package let room: [Double]
    }

    /// No more than this, however many calls there were.
    package static let most = 400

    package private(set) var steps: [Step] = []
    private let width: Double
    private var column = -1

    init(of seconds: Double) {
        width = max(seconds, 1e-3) / Double(Self.most)
    }

    /// Adds the last call of `audit`. Of calls in one part of the picture, the last stays of those where the least room was left.
    mutating func add(_ audit: CallAudit) {
        guard let moment = audit.last else { return }
        let step = Step(at: moment, calls: audit.calls, room: audit.limits.map(\.room))
        let place = min(Self.most - 1, max(0, Int(moment / width)))
        guard place == column, let last = steps.last else {
            column = place
            return steps.append(step)
        }
        if step.leastShare(of: audit.limits) <= last.leastShare(of: audit.limits) + 1e-9 {
            steps[steps.count - 1] = step
        }
    }
}

extension CallStaircase.Step {
    /// The room that is left of the limit that has the least of its burst.
    fileprivate func leastShare(of limits: [LimitAudit]) -> Double {
        zip(room, limits).map { $0 / $1.limit.burst }.min() ?? 0
    }
}
