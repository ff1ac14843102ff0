import Processes

/// Draws the calls of an audit: the number of calls up to each moment, and how many more each limit would have
/// permitted then.
///
/// The calls permitted up to a call are `calls + room`. This line rises at the limit's rate until the bucket is full,
/// at `calls + burst`. Calls that never reach the line kept the limit in every window. The picture shows the audit's
/// own calculation.
package struct CallStaircase: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        /// Seconds from the beginning of the audit.
        package let at: Double
        /// The number of calls up to and including this one.
        package let calls: Int
        /// For each limit, the calls that it would still have permitted right after this one.
        package let room: [Double]
    }

    /// The most steps, for any number of calls.
    package static let most = 400

    package private(set) var steps: [Step] = []
    private let width: Double
    private var column = -1

    init(of seconds: Double) {
        width = max(seconds, 1e-3) / Double(Self.most)
    }

    /// Adds the last call of `audit`. Of several calls in one column of the picture it keeps the one with the least
    /// room, and the last of these.
    mutating func add(_ audit: CallAudit) {
        guard let moment = audit.last else { return }
        let step = Step(at: moment, calls: audit.calls, room: audit.limits.map(\.room))
        let place = min(Self.most - 1, max(0, Int(clamping: (moment / width).rounded(.down))))
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
    /// The room left under the limit that has the smallest share of its burst left.
    fileprivate func leastShare(of limits: [LimitAudit]) -> Double {
        zip(room, limits).map { $0 / $1.limit.burst }.min() ?? 0
    }
}
