/// What a person decides about a lane, besides its limits.
package struct LaneSettings: Hashable, Sendable {
    /// How many subjects one call carries.
    package var batch: Int

    /// Calls at once, by all workers together and by one; nil: as many as they have room for.
    package var callsAtOnce: Int?
    package var callsPerWorker: Int?

    /// How late a call may start after its slot.
    package var grace: Duration

    /// A call that takes longer has failed.
    package var callLimit: Duration

    /// A job that failed so often is dead.
    package var mostFailures: Int

    /// The wait before a retry doubles from the first to the longest.
    package var firstRetry: Duration
    package var longestRetry: Duration

    /// So many failed calls in a row open the breaker.
    package var breakerAfter: Int

    /// What its calls cost; nil if no price was set.
    package var price: Price?
}

/// What the jobs of a lane are about.
package enum LaneKind: String, Sendable {
    /// Questions, to be put to a provider.
    case geocoding
    /// Trackers, whose locations a sink is to have.
    case upload
}
