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
    private static let units: [(name: String, length: Duration)] = [
        ("s", .seconds(1)), ("min", .seconds(60)), ("h", .seconds(3_600)), ("d", .seconds(86_400)),
    ]

    /// Reads the format of ``text``.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let rate = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, rate.count == 2, let calls = Double(rate[0]), let per = Self.time(rate[1]) else {
            return nil
        }
        var burst: Double?
        if parts.count == 2 {
            guard parts[1].hasPrefix("burst="), let number = Double(parts[1].dropFirst(6)) else { return nil }
            burst = number
        }
        self.init(calls, per: per, burst: burst)
    }

    private static func time(_ text: Substring) -> Duration? {
        let number = text.prefix { $0.isNumber }
        guard let unit = units.first(where: { $0.name == text.dropFirst(number.count) }) else { return nil }
        if number.isEmpty { return unit.length }
        guard let count = Int(number), (1...1_000_000).contains(count) else { return nil }
        return unit.length * count
    }

    /// `20/s`, with the burst if it is not the default.
    package var text: String {
        let isUsual = burst == Self.usualBurst(calls, per: per)
        return "\(Self.number(calls))/\(timeText)" + (isUsual ? "" : ":burst=\(Self.number(burst))")
    }

    /// `20/s`, whatever the burst.
    package var rateText: String { "\(Self.number(calls))/\(timeText)" }

    private var timeText: String {
        let unit = Self.units.last { (per / .seconds(1)).remainder(dividingBy: $0.length / .seconds(1)) == 0 }
        guard let unit else { return "\(per / .seconds(1))s" }
        let count = Int(per / unit.length)
        return count == 1 ? unit.name : "\(count)\(unit.name)"
    }

    private static func number(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}
