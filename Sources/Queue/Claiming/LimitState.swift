/// A limit of a lane, and how much of it is left at a moment.
package struct LimitState: Hashable, Sendable {
    package let limit: RateLimit

    /// The share of the limit that is used: less than 1 after the provider said "too fast".
    package let pace: Double

    /// How late a call may start. `claim_jobs` takes it out of the burst, or puts it between the calls.
    package let grace: Duration

    /// How uncertain of the database's clock the most distant of the lane's workers is.
    package let spread: Duration

    /// When nothing would be missing, in seconds from now; zero or less means that nothing is.
    package internal(set) var fullIn: Double

    package init(
        _ limit: RateLimit, pace: Double = 1, grace: Duration = .zero, spread: Duration = .zero, fullIn: Double
    ) {
        self.limit = limit
        self.pace = pace
        self.grace = grace
        self.spread = spread
        self.fullIn = fullIn
    }

    /// Calls that may start now; below zero when slots are promised ahead.
    package var tokens: Double { limit.burst - max(0, fullIn) * limit.perSecond * pace }

    /// Seconds until `count` more calls may have started, when nothing is asked for in the first `idle` seconds.
    package func wait(for count: Int, after idle: Double = 0) -> Double {
        guard count > 0 else { return idle }
        let missing = max(0, fullIn - idle)
        return idle + max(0, missing + (Double(count) - capacity) * spacing)
    }

    /// How much of the burst pays for the distance of the workers.
    package var burstForDistance: Double {
        max(1, limit.burst - limit.perSecond * late) - capacity
    }

    /// What the burst can't pay for: so many seconds lie between the slots of one worker and those of another.
    package var gap: Double { min(wide, max(0, late + wide - slack)) }

    // As in the SQL function `careful_limit`, where it is proved.
    var capacity: Double { max(1, limit.burst - limit.perSecond * (late + wide)) }
    var spacing: Double {
        let creep = late + wide > slack && wide > 0 ? 1.0005 : 1
        return creep / (limit.perSecond * pace) + max(0, late - slack)
    }
    private var slack: Double { (limit.burst - 1) / limit.perSecond }
    private var late: Double { grace / .seconds(1) }
    private var wide: Double { spread / .seconds(1) }
}

extension [LimitState] {
    /// Seconds until `count` more calls may have started under all of the limits; `idle` where there is none.
    package func wait(for count: Int, after idle: Double = 0) -> Double {
        map { $0.wait(for: count, after: idle) }.reduce(idle, Swift.max)
    }
}
