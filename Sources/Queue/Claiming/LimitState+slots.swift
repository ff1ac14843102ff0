/// The arithmetic of `claim_jobs` in Swift. It simulates a day of a lane in a millisecond, without a server.
extension [LimitState] {
    /// How far ahead slots are promised, in seconds, to a worker with this uncertainty of the database's clock.
    package static func horizon(uncertainty: Double = 0) -> Double { Swift.min(farthest, 2 + 5 * uncertainty) }
    private static var farthest: Double { 4 }

    /// Takes up to `most` slots, and charges each to every bucket at the moment of the slot. Returns `starts`, in
    /// seconds from now, and `next`, the first slot that was not given. `isOther` is true if the last slots belonged to
    /// another worker.
    package mutating func takeSlots(
        _ most: Int, lead: Double = 0, uncertainty: Double = 0, isOther: Bool = false
    ) -> (starts: [Double], next: Double) {
        var most = most
        let horizon = Self.horizon(uncertainty: uncertainty)
        var fulls = map { bucket in
            let gap = isOther ? bucket.gap : 0
            let start = Swift.max(lead, horizon - Swift.min(20 * gap, 0.75 * horizon))
            // This close to the horizon, the gap would be a large part of the other worker's share.
            if gap > 0, bucket.fullIn + gap > start { most = 0 }
            let most = Self.farthest + bucket.limit.burst * bucket.spacing + gap
            return Swift.min(Swift.max(bucket.fullIn + gap, 0), most)
        }
        let slots = nextSlots(
            &fulls, capacities: map(\.capacity), spacings: map(\.spacing), most: most, lead: lead, horizon: horizon
        )
        if !slots.starts.isEmpty {
            for (number, full) in fulls.enumerated() { self[number].fullIn = full }
        }
        return slots
    }

    /// Sets the uncertainty of the most distant worker from now on, like `note_spread`.
    package mutating func spread(to spread: Duration) {
        self = map {
            LimitState(
                $0.limit, pace: $0.pace, grace: $0.grace, spread: spread,
                fullIn: $0.fullIn + Swift.max(0, ($0.spread - spread) / .seconds(1)))
        }
    }

    /// Advances the state by this many seconds.
    package mutating func wait(_ seconds: Double) {
        for number in indices { self[number].fullIn -= seconds }
    }
}

/// The SQL function `slots`: returns the first `most` moments, in seconds from now, at which all buckets hold a token.
/// `fulls` contains the seconds until each bucket is full, before and after.
func nextSlots(
    _ fulls: inout [Double], capacities: [Double], spacings: [Double], most: Int, lead: Double, horizon: Double
) -> (starts: [Double], next: Double) {
    var starts: [Double] = []
    var next = lead
    while true {
        for bucket in fulls.indices { next = max(next, fulls[bucket] - (capacities[bucket] - 1) * spacings[bucket]) }
        if next > horizon || starts.count >= most { return (starts, next) }
        for bucket in fulls.indices { fulls[bucket] = max(fulls[bucket], next) + spacings[bucket] }
        starts.append(next)
    }
}
