/// A forecast of the connections that the next calls need: how many are kept, and how long a new one takes. With it, a
/// call that has to start at a fixed moment is connected by then.
struct ConnectionForecast {
    typealias Instant = ContinuousClock.Instant

    /// Estimated number of idle connections: a server may have closed some.
    private var kept = 0
    private var lastUse: Instant?
    /// Servers close idle connections. A connection that was idle for longer than this is not counted on.
    private var trust = Self.mostTrust
    private var samples: [Duration] = []

    private static let mostTrust = Duration.seconds(4)

    /// How long a new connection takes, TLS included. The slowest of the last eight is ignored as an exception. At most
    /// one second, because the calls of a lane wait for each other.
    var connectTime: Duration {
        let sorted = samples.sorted()
        return min(sorted.count > 2 ? sorted[sorted.count - 2] : sorted.last ?? .zero, .seconds(1))
    }

    /// Returns whether a call will find a kept connection after `count` other calls have taken one.
    func isWarm(after count: Int = 0, at now: Instant) -> Bool {
        kept > count && lastUse.map { $0.duration(to: now) < trust } ?? false
    }

    /// Counts the start of a call, on a kept connection or on a new one.
    mutating func begin(isWarm: Bool, at now: Instant) {
        if isWarm { kept -= 1 }
        // All kept connections were too old. Perhaps `trust` is too short, so it grows a little.
        if !isWarm, kept > 0, let lastUse, lastUse.duration(to: now) >= trust {
            kept = 0
            trust = min(trust * 1.05, Self.mostTrust)
        }
    }

    /// Counts the connection of a call, which took `time` to open if it is new. `wasWarm` is true if the call expected
    /// a kept one.
    mutating func connected(after time: Duration, isNew: Bool, wasWarm: Bool, at now: Instant) {
        let idle = lastUse.map { $0.duration(to: now) - time } ?? .zero
        if isNew, !wasWarm { sample(time) }
        if isNew, wasWarm, idle > .milliseconds(500) { trust = idle * 0.8 }
        lastUse = now
    }

    /// Counts the end of a call, which may have left its connection open.
    mutating func end(keeping isKept: Bool, at now: Instant) {
        if isKept { kept += 1 }
        lastUse = now
    }

    /// Replaces all samples, because the first connection of a process takes longer than any other.
    mutating func learn(_ time: Duration) { samples = [time] }

    private mutating func sample(_ time: Duration) {
        samples.append(time)
        if samples.count > 8 { samples.removeFirst() }
    }
}
