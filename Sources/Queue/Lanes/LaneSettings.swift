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

extension String {
    /// True if the text can name a lane or a chain: one word of small letters, digits, `-` and `_`.
    package var isName: Bool {
        (1...60).contains(utf8.count)
            && utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
            }
    }
}
