/// The length of time that a count covers.
package enum ThroughputSpan: String, Sendable, CaseIterable {
    case tenSeconds = "10s"
    case minute = "1m"
    case hour = "1h"
    case day = "1d"

    package var seconds: Double {
        switch self {
        case .tenSeconds: 10
        case .minute: 60
        case .hour: 3_600
        case .day: 86_400
        }
    }
}

/// Recent throughput, by lane and by worker, at one moment.
package struct Throughput: Sendable {
    /// The database's clock, since 1970.
    package var asOf: Duration
    package var lanes: [Lane] = []
    package var workers: [Worker] = []

    /// A count, and the seconds that it covers: at most its span, and less if counting began later.
    package struct Count: Sendable, Hashable {
        package let counts: CallCounts
        package let seconds: Double

        package init(_ counts: CallCounts, seconds: Double) { (self.counts, self.seconds) = (counts, seconds) }

        package var callsPerSecond: Double { Double(counts.calls) / seconds }
        package var subjectsPerSecond: Double { Double(counts.subjects) / seconds }
    }

    package struct Lane: Sendable {
        package let name: String
        package let limits: [LimitState]
        package internal(set) var spans: [ThroughputSpan: Count]

        /// The calls that the present limits permit in this span; nil without limits. See
        /// ``[LimitState].permitted(in:)``
        package func permitted(_ span: ThroughputSpan) -> Double? {
            spans[span].flatMap { limits.permitted(in: $0.seconds) }
        }
    }

    /// A worker that is alive, over all its lanes.
    package struct Worker: Sendable {
        package let id: WorkerID
        package let name: String
        package let host: String
        /// The last ten seconds, the last minute and the last hour. After an hour or two the counters no longer have
        /// the worker.
        package internal(set) var spans: [ThroughputSpan: Count]
    }

    package init(asOf: Duration) { self.asOf = asOf }
}

extension LimitState {
    /// The calls that may start in this many seconds at the present pace. A limit for a longer time, such as a day, may
    /// give a whole burst at once, so that counts too.
    ///
    /// A burst that was saved up before is at most one `per`, and lets a lane exceed this number once.
    fileprivate func permitted(in seconds: Double) -> Double {
        let refilled = limit.perSecond * pace * seconds
        return seconds < limit.per / .seconds(1) ? limit.burst + refilled : refilled
    }
}

extension [LimitState] {
    /// The calls that all limits permit in this many seconds; nil without limits.
    package func permitted(in seconds: Double) -> Double? { map { $0.permitted(in: seconds) }.min() }
}

/// The number of calls saved because addresses are shared or known: one call for each address, minus the calls made.
package struct CallsSaved: Sendable, Equatable {
    /// Addresses that have an answer now, of all accounts.
    package let answered: Int
    /// Calls that providers received, for as long as the counters are kept. A call with many addresses counts once for
    /// each, because batching is not a saving here.
    package let called: Int

    /// Assumes one call for each address. Calls that were repeated, or that were made for another link, reduce the
    /// saving.
    package var saved: Int { max(0, answered - called) }

    package init(answered: Int, lanes: [LaneState]) {
        self.answered = answered
        called = lanes.filter { $0.kind == .geocoding }.map { max($0.calls, $0.subjects) }.reduce(0, +)
    }
}
