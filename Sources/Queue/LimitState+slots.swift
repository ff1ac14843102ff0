/// The arithmetic of `claim_jobs` once more, so that a day of a lane takes a millisecond, without a server.
extension [LimitState] {
    /// How far ahead slots are promised, in seconds.
    package static var horizon: Double { 2 }

    /// Takes up to `most` slots, and charges each to every bucket at the moment of the slot: `starts` in seconds from
    /// now, and `next`, the first that was not given.
    package mutating func takeSlots(_ most: Int, lead: Double = 0) -> (starts: [Double], next: Double) {
        var fulls = map { Swift.min(Swift.max($0.fullIn, 0), Self.horizon + $0.capacity * $0.spacing) }
        let slots = nextSlots(
            &fulls, capacities: map(\.capacity), spacings: map(\.spacing), most: most, lead: lead, horizon: Self.horizon
        )
        for (number, full) in fulls.enumerated() { self[number].fullIn = full }
        return slots
    }

    /// Lets time pass.
    package mutating func wait(_ seconds: Double) {
        for number in indices { self[number].fullIn -= seconds }
    }
}

/// The SQL function `slots`: the first `most` moments, in seconds from now, at which all buckets hold a token. `fulls`
/// says in how many seconds each bucket is full, before and after.
package func nextSlots(
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
