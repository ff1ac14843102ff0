import Processes

/// The source of an answer at the gateway, as in metrics, columns and JSON. The raw values are stored: never rename one.
package enum TrafficSource: String, Sendable, CaseIterable {
    /// Data of our own.
    case local
    /// A stored answer.
    case cache
    /// The request waited for a call.
    case call
    /// The answer was not there in time.
    case waiting
    /// No place was found, and none will be.
    case missed
    case refused
}

/// Requests at the gateway by the source of their answers, and the durations of those that were not refused.
package struct TrafficCounts: Sendable, Hashable {
    /// A class ends at twice the time of the class before. The last one has no end.
    static let classes = 20
    private static let shortest = Duration.microseconds(64)

    /// The requests of each source, and then of each class.
    private(set) var numbers = [Int](repeating: 0, count: Self.width)

    static var width: Int { TrafficSource.allCases.count + classes }

    package init() {}

    /// Those of a row of the table.
    init(numbers: [Int]) {
        if numbers.count == Self.width { self.numbers = numbers }
    }

    package subscript(_ source: TrafficSource) -> Int { numbers[source.place] }

    package var requests: Int { numbers.prefix(TrafficSource.allCases.count).reduce(0, +) }

    mutating func add(_ source: TrafficSource, after duration: Duration) {
        numbers[source.place] += 1
        guard source != .refused else { return }
        let units = UInt(clamping: Int(clamping: duration / Self.shortest))
        let place = min(UInt.bitWidth - units.leadingZeroBitCount, Self.classes - 1)
        numbers[TrafficSource.allCases.count + place] += 1
    }

    mutating func add(_ other: Self) {
        for place in numbers.indices { numbers[place] += other.numbers[place] }
    }

    /// The time that this share of the requests did not exceed, interpolated in its class. So it may be wrong by up to a
    /// factor of 2. Nil without requests.
    package func quantile(_ share: Double) -> Duration? {
        let counts = numbers.dropFirst(TrafficSource.allCases.count)
        var rank = share * Double(counts.reduce(0, +))
        var (start, end) = (Duration.zero, Self.shortest)
        for count in counts {
            if count > 0, rank <= Double(count) { return start + (end - start) * (rank / Double(count)) }
            rank -= Double(count)
            (start, end) = (end, end * 2)
        }
        return nil
    }
}

extension TrafficSource {
    fileprivate var place: Int {
        switch self {
        case .local: 0
        case .cache: 1
        case .call: 2
        case .waiting: 3
        case .missed: 4
        case .refused: 5
        }
    }
}
