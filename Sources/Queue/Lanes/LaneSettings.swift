/// The settings of a lane that a person decides, except its limits.
package struct LaneSettings: Hashable, Sendable {
    /// The most subjects in one call.
    package var batch: Int

    /// The most calls at once, by all workers together and by one worker. Nil: as many as the workers have room for.
    package var callsAtOnce: Int?
    package var callsPerWorker: Int?

    /// How late a call may start after its slot.
    package var grace: Duration

    /// A call that takes longer has failed.
    package var callLimit: Duration

    /// A job with this many failures is dead.
    package var mostFailures: Int

    /// The wait before a retry doubles from the first to the longest.
    package var firstRetry: Duration
    package var longestRetry: Duration

    /// This many failed calls in a row open the breaker.
    package var breakerAfter: Int

    /// The price of its calls; nil if no price was set.
    package var price: Price?
}

/// The kind of subjects of a lane's jobs.
package enum LaneKind: String, Sendable {
    /// Questions, which a provider answers.
    case geocoding
    /// Trackers, whose locations are uploaded to a sink.
    case upload
}
