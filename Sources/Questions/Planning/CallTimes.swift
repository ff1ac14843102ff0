package import Queue

/// The time that the calls of a lane take.
package enum CallTimes: Hashable, Sendable {
    /// Seconds, in ascending order and never empty: each simulated call takes as long as one of these.
    case sample([Double])
    /// The provider is part of the worker, so that calls share the machine: subjects per second, by all workers
    /// together.
    case shared(subjectsPerSecond: Double)

    /// All calls take the same time.
    package static func always(_ duration: Duration) -> CallTimes { .sample([duration / .seconds(1)]) }

    /// The times of recent calls; nil if there are too few.
    package init?(_ calls: [LoggedCall], inWorker isInWorker: Bool) {
        let ended = calls.filter { $0.took != nil && $0.outcome.hasAnswer }
        guard ended.count >= Self.fewest else { return nil }
        self = isInWorker ? .shared(subjectsPerSecond: Self.rate(of: ended)) : .sample(Self.times(of: ended))
    }

    /// Fewer calls prove nothing.
    private static let fewest = 5

    /// A large call takes longer than a small one, and a plan is about large ones. So calls with less than half of the
    /// largest size are left out if enough remain.
    private static func times(of calls: [LoggedCall]) -> [Double] {
        let largest = calls.map(\.subjects).max() ?? 1
        let large = calls.filter { $0.subjects * 2 >= largest }
        return (large.count >= fewest ? large : calls).compactMap { $0.took.map { $0 / .seconds(1) } }.sorted()
    }

    /// Returns the subjects of the busiest second. If the lane never had much work, the rate of the quickest calls.
    private static func rate(of calls: [LoggedCall]) -> Double {
        let seconds = Dictionary(grouping: calls) { Int($0.at / .seconds(1)) }
        let busiest = seconds.values.map { $0.map(\.subjects).reduce(0, +) }.max() ?? 0
        let single = calls.map { Double($0.subjects) / Swift.max(($0.took ?? .zero) / .seconds(1), 1e-6) }.sorted()
        return Swift.max(Double(busiest), single[single.count * 9 / 10])
    }

    /// The mean time in seconds of one call with this number of subjects.
    func mean(of subjects: Double) -> Double {
        switch self {
        case .sample(let times): times.reduce(0, +) / Double(times.count)
        case .shared(let rate): subjects / rate
        }
    }

    /// In seconds; nil if calls share the machine.
    package func percentile(_ share: Double) -> Double? {
        guard case .sample(let times) = self else { return nil }
        return times[min(times.count - 1, Int(Double(times.count) * share))]
    }
}
