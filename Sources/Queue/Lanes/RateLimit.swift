import Processes

/// A number of calls in a time, and how many of them may come at once: `20/s`, `300/min:burst=12`, `1/2s`.
package struct RateLimit: Hashable, Sendable {
    package let calls: Double
    package let per: Duration

    /// In any window of *t* seconds the provider receives at most `burst` + *t* times the rate.
    package let burst: Double

    /// Returns nil if the limit permits nothing.
    package init?(_ calls: Double, per: Duration, burst: Double? = nil) {
        let burst = burst ?? Self.usualBurst(calls, per: per)
        guard calls.isFinite, calls > 0, per > .zero, burst.isFinite, burst >= 1 else { return nil }
        self.calls = calls
        self.per = per
        self.burst = burst
    }

    package var perSecond: Double { calls / (per / .seconds(1)) }

    /// The most calls in any window of this length.
    package func permitted(in window: Duration) -> Double { burst + perSecond * (window / .seconds(1)) }

    /// The default burst, large enough that a late call costs nothing: the calls of a tenth of a second, or a
    /// twenty-fifth of the calls of `per`. A limit of one call a second or fewer has a burst of 1, because a provider
    /// with such a limit means it.
    private static func usualBurst(_ calls: Double, per: Duration) -> Double {
        let perSecond = calls / (per / .seconds(1))
        return max(perSecond > 1 ? 2 : 1, (perSecond / 10).rounded(.up), (calls / 25).rounded(.up))
    }
}

extension RateLimit {
    /// The permitted bursts of a limit that a person sets. ``WrittenRate`` has the bounds of the rate.
    package static let permittedBursts = 1...1e9

    /// The longest time in which a limit that a person sets gives its burst. With a longer one, the moment at which a
    /// slowed lane's bucket is full would be after the year 9999.
    package static let longestFillSeconds = 10.0 * 366 * 86_400
    package var fillsInTime: Bool { burst / perSecond <= Self.longestFillSeconds }

    /// Reads the format of ``text``, within the bounds that the API has too.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let rate = WrittenRate(parts[0]) else { return nil }
        var burst: Double?
        if parts.count == 2 {
            guard parts[1].hasPrefix("burst="), let number = Double(parts[1].dropFirst(6)),
                Self.permittedBursts.contains(number)
            else { return nil }
            burst = number
        }
        self.init(rate.calls, per: .seconds(rate.seconds), burst: burst)
        guard fillsInTime else { return nil }
    }

    /// `20/s`, with the burst if it is not the default.
    package var text: String {
        let isUsual = burst == Self.usualBurst(calls, per: per)
        return rateText + (isUsual ? "" : ":burst=\(Self.number(burst))")
    }

    /// `20/s`, whatever the burst.
    package var rateText: String { "\(Self.number(calls))/\(WrittenRate.text(per / .seconds(1)))" }

    private static func number(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

extension [RateLimit] {
    /// True if two are for the same time. A lane has at most one limit for each.
    package var hasTwoForOneTime: Bool { Set(map(\.per)).count < count }
}
