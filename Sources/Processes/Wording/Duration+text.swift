extension Duration {
    /// The duration as a person writes it: `250ms`, `1.5s`, `2m30s`, `3h`. Further digits are cut, never rounded up.
    ///
    /// Go's `ParseDuration` reads it too, and so do Loki and Prometheus.
    package var text: String {
        guard self >= .zero else { return "-" + (Duration.zero - self).text }
        let (seconds, attoseconds) = components
        let nanoseconds = attoseconds / 1_000_000_000
        switch (seconds, nanoseconds) {
        case (0, 0): return "0s"
        case (0, ..<1_000): return "\(nanoseconds)ns"
        case (0, ..<1_000_000): return Self.decimal(nanoseconds, of: 1_000) + "µs"
        case (0, _): return Self.decimal(nanoseconds, of: 1_000_000) + "ms"
        case (..<60, _): return Self.decimal(seconds * 1_000 + nanoseconds / 1_000_000, of: 1_000) + "s"
        case (..<3_600, _): return "\(seconds / 60)m" + (seconds % 60 == 0 ? "" : "\(seconds % 60)s")
        default: return "\(seconds / 3_600)h" + (seconds / 60 % 60 == 0 ? "" : "\(seconds / 60 % 60)m")
        }
    }

    /// ``text``, or seconds with all digits if it would leave some out. A whole number of days is written in days.
    package var exactText: String {
        let days = self / .seconds(86_400)
        if days >= 1, let whole = Int(exactly: days) { return "\(whole)d" }
        return Duration(text: text) == self ? text : "\(self / .seconds(1))s"
    }

    /// `count / unit` with at most three significant digits: 1.52, 15.2, 152.
    private static func decimal(_ count: Int64, of unit: Int64) -> String {
        let whole = count / unit
        guard whole < 100 else { return "\(whole)" }
        let hundredths = count % unit * 100 / unit
        let tens = hundredths / 10
        let ones = whole < 10 ? hundredths % 10 : 0
        switch (tens, ones) {
        case (0, 0): return "\(whole)"
        case (_, 0): return "\(whole).\(tens)"
        default: return "\(whole).\(tens)\(ones)"
        }
    }

    /// The units that people write, the shortest first.
    static let units: [(name: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("min", 60e9), ("h", 3_600e9), ("d", 86_400e9),
    ]

    /// Reads `200ms`, `1.5s`, `2m30s`, `2h` or `7d`. Nil for a number without a unit.
    package init?(text: String) {
        var (rest, nanoseconds) = (text[...], 0.0)
        repeat {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            let name = rest.dropFirst(number.count).prefix(while: \.isLetter)
            guard let unit = Self.units.first(where: { $0.name == name }), let count = Double(number) else {
                return nil
            }
            nanoseconds += count * unit.nanoseconds
            rest = rest.dropFirst(number.count + name.count)
        } while !rest.isEmpty
        guard nanoseconds < 9e18 else { return nil }
        self = .nanoseconds(Int64(nanoseconds.rounded()))
    }
}
