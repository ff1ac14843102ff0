package import Postgres

/// The length of a history, and its steps.
package enum HistorySpan: String, Sendable, CaseIterable {
    case hour = "1h"
    case day = "1d"
    case week = "7d"
    case month = "30d"

    /// In seconds.
    package var length: Int {
        switch self {
        case .hour: 3_600
        case .day: 86_400
        case .week: 7 * 86_400
        case .month: 30 * 86_400
        }
    }

    /// In seconds: a history has 48 to 60 steps. Counters of minutes are kept for a day, then counters of hours.
    package var step: Int {
        switch self {
        case .hour: 60
        case .day: 1_800
        case .week: 3 * 3_600
        case .month: 12 * 3_600
        }
    }
}

/// The counts of each lane, step by step, the oldest first.
package struct ThroughputHistory: Sendable {
    package struct Lane: Sendable {
        package let name: String
        package let limits: [LimitState]
        /// One count for each step. The last step is not over yet.
        package let steps: [CallCounts]
    }

    package let span: HistorySpan
    /// When the first step begins, since 1970 on the database's clock.
    package let start: Duration
    /// How many seconds of the last step are over.
    package let lastSeconds: Double
    package let lanes: [Lane]

    /// The length of a step in seconds.
    package func seconds(of step: Int, in lane: Lane) -> Double {
        step == lane.steps.count - 1 ? lastSeconds : Double(span.step)
    }
}

extension JobQueue {
    /// Returns the counters of all lanes over `span`. Steps begin at full multiples of their length, by UTC.
    package func history(_ span: HistorySpan, on database: isolated Connection) throws -> ThroughputHistory {
        let limits = try limitRows(on: database)
        let moment = try database.query(
            """
            SELECT floor(extract(epoch FROM statement_timestamp()) / \(span.step))::bigint AS current,
                   extract(epoch FROM statement_timestamp())::float8 AS now
            """)[0]
        let current: Int = try moment.read("current")
        let count = span.length / span.step
        let first = current - count + 1
        let rows = try database.query(
            """
            SELECT lane, (extract(epoch FROM minute)::bigint / \(span.step)::bigint - \(first)::bigint)::bigint AS step,
                   sum(calls - retried - limited - failed - lost)::bigint AS answered, sum(retried)::bigint AS retried,
                   sum(limited)::bigint AS limited, sum(failed)::bigint AS failed, sum(lost)::bigint AS lost,
                   0 AS under_way, sum(subjects)::bigint AS subjects
            FROM throughput
            WHERE minute >= to_timestamp(\(first)::bigint * \(span.step)::bigint)
            GROUP BY 1, 2
            """)
        var steps: [Int: [CallCounts]] = [:]
        for row in rows {
            let step: Int = try row.read("step")
            // The clock may have been set, or the minute may have ended since then.
            guard (0..<count).contains(step) else { continue }
            let lane: Int = try row.read("lane")
            steps[lane, default: Array(repeating: CallCounts(), count: count)][step] = try CallCounts(row)
        }
        let lanes = try database.query("SELECT id, name FROM lanes ORDER BY id").map { row in
            let id: Int = try row.read("id")
            return ThroughputHistory.Lane(
                name: try row.read("name"), limits: limits[id] ?? [],
                steps: steps[id] ?? Array(repeating: CallCounts(), count: count))
        }
        let now: Double = try moment.read("now")
        return ThroughputHistory(
            span: span, start: .seconds(first * span.step), lastSeconds: max(1, now - Double(current * span.step)),
            lanes: lanes)
    }
}
