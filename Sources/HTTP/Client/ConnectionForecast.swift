/// What a client can tell of the connections that its next calls will need: how many are kept, and how long a new one
/// takes. So a call that must leave at its moment has a connection by then.
struct ConnectionForecast {
    typealias Instant = ContinuousClock.Instant

    /// Idle connections, as far as is known: a server may have closed some.
    private var kept = 0
    private var lastUse: Instant?
    /// Servers close connections that lie idle. One that was idle for longer is not counted on.
    private var trust = Self.mostTrust
    private var samples: [Duration] = []

    private static let mostTrust = Duration.seconds(4)

    /// How long a new connection takes, TLS included. One of the last eight took longer, and is taken for an exception.
    /// Never more than a second, for the calls of a lane are waited for one after another.
    var connectTime: Duration {
        let sorted = samples.sorted()
        return min(sorted.count > 2 ? sorted[sorted.count - 2] : sorted.last ?? .zero, .seconds(1))
    }

    /// Whether a call will find a kept connection, after `count` others have taken one.
    func isWarm(after count: Int = 0, at now: Instant) -> Bool {
        kept > count && lastUse.map { $0.duration(to: now) < trust } ?? false
    }

    /// A call begins, with a connection of those that are kept, or with a new one.
    mutating func begin(isWarm: Bool, at now: Instant) {
        if isWarm { kept -= 1 }
        // Too old, all of them. Perhaps we are too careful.
        if !isWarm, kept > 0, let lastUse, lastUse.duration(to: now) >= trust {
            kept = 0
            trust = min(trust * 1.05, Self.mostTrust)
        }
    }

    /// A call's connection stands, a new one after so much time. `wasWarm` is how it began.
    mutating func connected(after time: Duration, isNew: Bool, wasWarm: Bool, at now: Instant) {
        let idle = lastUse.map { $0.duration(to: now) - time } ?? .zero
        if isNew, !wasWarm { sample(time) }
        if isNew, wasWarm, idle > .milliseconds(500) { trust = idle * 0.8 }
        lastUse = now
    }

    /// A call has ended, and left its connection behind or not.
    mutating func end(keeping isKept: Bool, at now: Instant) {
        if isKept { kept += 1 }
        lastUse = now
    }

    /// Forgets what was, for the first connection of a process takes longer than any other.
    mutating func learn(_ time: Duration) { samples = [time] }

    private mutating func sample(_ time: Duration) {
        samples.append(time)
        if samples.count > 8 { samples.removeFirst() }
    }
}
