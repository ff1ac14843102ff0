import Processes

/// Numbers as a row of bars, one column each: `▁▂▅▇█`.
package enum Sparkline {
    private static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The full height means `top`, or the largest value if that is larger. Only zero is shown as a blank; any other
    /// value has at least the lowest bar.
    package static func text(_ values: [Double], top: Double = 0) -> String {
        let top = max(top, values.max() ?? 0)
        guard top > 0 else { return String(repeating: " ", count: values.count) }
        return values.map { value in
            guard value > 0 else { return " " }
            return bars[min(max(Int(clamping: (value / top * 8).rounded(.up)) - 1, 0), 7)]
        }.joined()
    }
}
