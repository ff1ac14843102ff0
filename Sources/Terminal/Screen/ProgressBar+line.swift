import Processes

extension ProgressBar {
    /// `Importing  ████▌      1,234/5,000  25%  310/s  12 s left  Berlin`, in at most `width` columns.
    ///
    /// The bar fills the remaining room. It is left out if there is too little room, or if the output is not a
    /// terminal.
    func line(width: Int, at now: ContinuousClock.Instant) -> String {
        let facts = [count, percent, rate(at: now), time(at: now), label].filter { !$0.isEmpty }
        let room = width - ([title] + facts).map { $0.columns + Self.gap.columns }.reduce(0, +)
        let bar = screen.isTerminal && total != nil && room >= 6 ? [blocks(width: min(room, 30))] : []
        return ([title] + bar + facts).joined(separator: Self.gap).truncated(to: width)
    }

    private static let gap = "  "

    private var count: String {
        amount(done) + (total.map { "/\(amount($0))" } ?? "")
    }

    private func amount(_ number: Int) -> String {
        unit == .bytes ? Readable.bytes(number) : Readable.count(number)
    }

    private var percent: String {
        total.map { Readable.percent(done, of: $0) } ?? ""
    }

    private func rate(at now: ContinuousClock.Instant) -> String {
        guard let rate = pace.perSecond(done, at: now) else { return "" }
        return unit == .bytes ? "\(Readable.bytes(Int(clamping: rate)))/s" : Readable.rate(rate)
    }

    /// The remaining time, or the time it took if all is done.
    private func time(at now: ContinuousClock.Instant) -> String {
        guard let total else { return "" }
        guard done < total else { return "in \(Readable.duration(now - start))" }
        guard let rate = pace.perSecond(done, at: now) else { return "" }
        let left = (Double(total - done) / rate).rounded(.up)
        return "\(Readable.duration(Duration(clampingSeconds: left))) left"
    }

    /// Each column has eight steps.
    private func blocks(width: Int) -> String {
        let share = Double(done) / Double(max(total ?? 1, 1))
        let eighths = Int(min(max(share, 0), 1) * Double(width * 8))
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return (String(repeating: "█", count: eighths / 8) + partial).padded(to: width)
    }
}
