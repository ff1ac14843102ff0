/// Numbers as a row of bars, one column each: `▁▂▅▇█`.
package enum Sparkline {
    private static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The full height means `top`, or the largest value where that is larger. What isn't zero is never shown as nothing, and
    /// only zero is: a blank.
    package static func text(_ values: [Double], top: Double = 0) -> String {
        let top = max(top, values.max() ?? 0)
        guard top > 0 else { return String(repeating: " ", count: values.count) }
        return values.map { value in
            guard value > 0 else { return " " }
            return bars[min(max(Int((value / top * 8).rounded(.up)) - 1, 0), 7)]
        }.joined()
    }
}
