/// The most by which an adjusted clock runs faster or slower than another. The SQL function `clock_creep` has the same
/// number, and a test compares the two.
package enum ClockDrift {
    package static let share = 0.0005

    /// The most by which a clock is slewed, per second of another: more than chrony's default of 83,333 ppm. A clock
    /// that gains or loses more was set. The table `server_clock` has the same number.
    package static let most = 0.1
}

/// A limit of a lane, and how much of it is left at a moment.
package struct LimitState: Hashable, Sendable {
    package let limit: RateLimit

    /// The share of the limit that is used: less than 1 after the provider replied "too fast".
    package let pace: Double

    /// How late a call may start. `claim_jobs` takes it out of the burst, or adds it between the calls.
    package let grace: Duration

    /// The largest uncertainty of the database's clock among the lane's workers.
    package let spread: Duration

    /// When the bucket would be full, in seconds from now; zero or less means that it is full.
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

    /// Calls that may start now; below zero if slots are promised ahead.
    package var tokens: Double { limit.burst - max(0, fullIn) * limit.perSecond * pace }

    /// Seconds until `count` more calls may have started, if no call is made in the first `idle` seconds.
    package func wait(for count: Int, after idle: Double = 0) -> Double {
        guard count > 0 else { return idle }
        let missing = max(0, fullIn - idle)
        return idle + max(0, missing + (Double(count) - capacity) * spacing)
    }

    /// The bucket misses more tokens than it can have promised, as the SQL function `longest_fill` counts them.
    var owesTooMuch: Bool { fullIn > 7 + limit.burst / (limit.perSecond * pace) }

    /// The part of the burst that pays for the workers' uncertainty.
    package var burstForDistance: Double {
        max(1, limit.burst - limit.perSecond * late) - capacity
    }

    /// The rest that the burst can't pay for: the seconds between the slots of one worker and those of another.
    package var gap: Double { min(wide, max(0, late + wide - slack)) }

    // Computed as in the SQL function `careful_limit`, which has the proof.
    var capacity: Double { max(1, limit.burst - limit.perSecond * (late + wide)) }
    var spacing: Double {
        let creep = late + wide > slack && wide > 0 ? 1 + ClockDrift.share : 1
        return creep / (limit.perSecond * pace) + max(0, late - slack)
    }
    private var slack: Double { (limit.burst - 1) / limit.perSecond }
    private var late: Double { grace / .seconds(1) }
    private var wide: Double { spread / .seconds(1) }
}

extension [LimitState] {
    /// Seconds until `count` more calls may have started under all limits; `idle` if there is no limit.
    package func wait(for count: Int, after idle: Double = 0) -> Double {
        map { $0.wait(for: count, after: idle) }.reduce(idle, Swift.max)
    }
}
