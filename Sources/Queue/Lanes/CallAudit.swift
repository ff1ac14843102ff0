import Processes

/// Checks the calls of a lane against its limits in every window, one call at a time, without keeping them in memory.
package struct CallAudit: Sendable {
    package private(set) var limits: [LimitAudit]
    package private(set) var calls = 0
    package private(set) var first: Double?
    package private(set) var last: Double?

    package init(of limits: [RateLimit]) {
        self.limits = limits.map(LimitAudit.init)
    }

    /// Adds a call at this moment, in seconds from any origin. Add calls in the order of time: an earlier one counts as
    /// if it was at the moment of the last one. A moment that is not finite, of another program's row, is left out.
    package mutating func add(_ moment: Double) {
        guard moment.isFinite else { return }
        let moment = max(moment, last ?? moment)
        calls += 1
        first = first ?? moment
        last = moment
        for index in limits.indices { limits[index].add(moment) }
    }

    /// Ignores all windows that began before.
    mutating func breakOff() {
        for index in limits.indices { limits[index].breakOff() }
    }

    /// Seconds from the first call to the last.
    package var span: Double { (last ?? 0) - (first ?? 0) }

    /// A limit was exceeded in some window.
    package var isExceeded: Bool { limits.contains(where: \.isExceeded) }
}

/// One limit, compared with the calls so far.
package struct LimitAudit: Sendable {
    package let limit: RateLimit

    /// The most calls in any window of the limit's own length, both ends included.
    package private(set) var mostInPeriod = 0

    /// The most calls that the limit permits in such a window.
    package var permittedInPeriod: Int { Int(clamping: (limit.permitted(in: limit.per) + 1e-6).rounded(.down)) }

    /// By how many calls the worst window of any length exceeded the limit; below zero if none did.
    package var excess: Double { highest - limit.burst }

    /// The share used of the calls that were permitted from the first call to the last.
    package var usedShare: Double {
        guard let first, let last else { return 0 }
        return Double(calls) / (limit.burst + limit.perSecond * (last - first))
    }

    /// An excess that a millisecond explains comes from the clock and not from the limiter.
    package var isExceeded: Bool { excess > max(limit.perSecond * 0.001, 1e-6) }

    /// Calls that the limit would still have permitted right after the last one; below zero if it was exceeded.
    package var room: Double { limit.burst - level }

    private var calls = 0
    private var first: Double?
    private var last: Double?

    // The level of a bucket that each call fills by one and that leaks at the limit's rate. It is the maximum, over all
    // windows that end here, of the calls in a window minus the leak during it.
    private var level = 0.0
    private var highest = 0.0

    // The calls of the last period, from index `start` on.
    private var recent: [Double] = []
    private var start = 0

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    mutating func breakOff() {
        level = 0
        recent = []
        start = 0
    }

    mutating func add(_ moment: Double) {
        calls += 1
        level = max(0, level - (moment - (last ?? moment)) * limit.perSecond) + 1
        highest = max(highest, level)
        first = first ?? moment
        last = moment
        recent.append(moment)
        // The database rounds to microseconds: a call exactly one period ago is in the window.
        while moment - recent[start] > limit.per / .seconds(1) + 5e-7 { start += 1 }
        mostInPeriod = max(mostInPeriod, recent.count - start)
        if start > 1_000, start * 2 > recent.count {
            recent.removeFirst(start)
            start = 0
        }
    }
}
