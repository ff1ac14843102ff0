import Processes

/// The facts about a lane that a forecast needs.
package struct LaneOutlook: Hashable, Sendable {
    package let lane: String
    /// The most subjects in one call.
    package let batch: Int
    package let limits: [LimitState]
    /// The price of its calls; nil if no price was set.
    package let price: Price?
    /// The calls of the jobs that wait there already.
    package let waiting: Int
    /// Seconds until the first call may start.
    package let blockedSeconds: Double
    /// No call is made before a person resumes it.
    package let isPaused: Bool

    package init(
        _ lane: String, batch: Int, limits: [LimitState] = [], price: Price? = nil, waiting: Int = 0,
        blockedSeconds: Double = 0, isPaused: Bool = false
    ) {
        self.lane = lane
        self.batch = batch
        self.limits = limits
        self.price = price
        self.waiting = waiting
        self.blockedSeconds = blockedSeconds
        self.isPaused = isPaused
    }

    /// The time until this many more calls may have started, after those that wait; nil without limits.
    package func time(for calls: Int) -> Duration? {
        guard !limits.isEmpty else { return nil }
        guard calls > 0 else { return .zero }
        return Duration(clampingSeconds: limits.wait(for: waiting + calls, after: blockedSeconds))
    }
}

extension LaneState {
    package var outlook: LaneOutlook {
        LaneOutlook(
            lane, batch: settings.batch, limits: limits, price: settings.price, waiting: callsToCome,
            blockedSeconds: blockedSeconds, isPaused: condition.pausedSince != nil)
    }
}
