package import Queue

/// How long the calls of a lane take.
package enum CallTimes: Hashable, Sendable {
    /// Seconds, in ascending order and never empty: one call takes as long as another did.
    case sample([Double])
    /// The provider is part of the worker, so that calls share the machine: so many subjects a second, by all workers together.
    case shared(subjectsPerSecond: Double)

    /// All take the same.
    package static func always(_ duration: Duration) -> CallTimes { .sample([duration / .seconds(1)]) }

    /// As they were of late; nil if too few are known.
    package init?(_ calls: [LoggedCall], inWorker isInWorker: Bool) {
        let ended = calls.filter { $0.took != nil && $0.hasAnswer }
        guard ended.count >= Self.fewest else { return nil }
        self = isInWorker ? .shared(subjectsPerSecond: Self.rate(of: ended)) : .sample(Self.times(of: ended))
    }

    /// Fewer calls tell nothing.
    private static let fewest = 5

    /// A large call takes longer than a small one, and a plan is about large ones: those of less than half of the largest size
    /// are left out if enough remain.
    private static func times(of calls: [LoggedCall]) -> [Double] {
        let largest = calls.map(\.subjects).max() ?? 1
        let large = calls.filter { $0.subjects * 2 >= largest }
        return (large.count >= fewest ? large : calls).compactMap { $0.took.map { $0 / .seconds(1) } }.sorted()
    }

    /// The busiest second; or, where there was never much to do, what the quickest calls did while they lasted.
    private static func rate(of calls: [LoggedCall]) -> Double {
        let seconds = Dictionary(grouping: calls) { Int($0.at / .seconds(1)) }
        let busiest = seconds.values.map { $0.map(\.subjects).reduce(0, +) }.max() ?? 0
        let single = calls.map { Double($0.subjects) / Swift.max(($0.took ?? .zero) / .seconds(1), 1e-6) }.sorted()
        return Swift.max(Double(busiest), single[single.count * 9 / 10])
    }

    /// The mean of one call that carries so many subjects, in seconds.
    func mean(of subjects: Double) -> Double {
        switch self {
        case .sample(let times): times.reduce(0, +) / Double(times.count)
        case .shared(let rate): subjects / rate
        }
    }

    /// In seconds; nil where calls share the machine.
    package func percentile(_ share: Double) -> Double? {
        guard case .sample(let times) = self else { return nil }
        return times[min(times.count - 1, Int(Double(times.count) * share))]
    }
}
