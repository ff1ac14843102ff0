/// How far back a count looks.
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

/// What was done of late, by lane and by worker, at one moment.
package struct Throughput: Sendable {
    /// What the database's clock showed, since 1970.
    package var asOf: Duration
    package var lanes: [Lane] = []
    package var workers: [Worker] = []

    /// A count, and the time in which it was done: no more than its span, and less where nobody counted before.
    package struct Count: Sendable, Hashable {
        package let counts: CallCounts
        package let seconds: Double

        package var callsPerSecond: Double { Double(counts.calls) / seconds }
        package var subjectsPerSecond: Double { Double(counts.subjects) / seconds }
    }

    package struct Lane: Sendable {
        package let name: String
        package let limits: [LimitState]
        package internal(set) var spans: [ThroughputSpan: Count]

        /// Calls that the present limits permit in this span; nil without limits. See ``[LimitState].permitted(in:)``
        package func permitted(_ span: ThroughputSpan) -> Double? {
            spans[span].flatMap { limits.permitted(in: $0.seconds) }
        }
    }

    /// A worker that is alive, over all its lanes.
    package struct Worker: Sendable {
        package let id: WorkerID
        package let name: String
        package let host: String
        /// The last ten seconds, the last minute and the last hour. After an hour or two it is forgotten which worker it was.
        package internal(set) var spans: [ThroughputSpan: Count]
    }

    package init(asOf: Duration) { self.asOf = asOf }
}

extension LimitState {
    /// Calls that may start in so many seconds: what comes in meanwhile, at the present pace. A limit for a longer time, such as
    /// one for a day, may give a whole burst at once, so that counts too.
    ///
    /// A burst that was saved up before is no more than one `per`, and lets a lane have more than this for once.
    fileprivate func permitted(in seconds: Double) -> Double {
        let refilled = limit.perSecond * pace * seconds
        return seconds < limit.per / .seconds(1) ? limit.burst + refilled : refilled
    }
}

extension [LimitState] {
    /// Calls that all of the limits permit in so many seconds; nil without limits.
    package func permitted(in seconds: Double) -> Double? { map { $0.permitted(in: seconds) }.min() }
}
