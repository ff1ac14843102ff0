package import Postgres
import Processes

/// The length of the time of which requests at the gateway are shown.
package enum TrafficSpan: String, Sendable, CaseIterable {
    case minute = "1m"
    case hour = "1h"
    case day = "1d"

    fileprivate var seconds: Int {
        switch self {
        case .minute: 60
        case .hour: 3_600
        case .day: 86_400
        }
    }
}

/// The requests at the gateway of one token, over all coordinators.
package struct TokenTraffic: Sendable {
    /// Nil for requests without a valid token.
    package let token: Int?
    package let name: String
    package let counts: TrafficCounts
    package let seconds: Double

    package var requestsPerSecond: Double { Double(counts.requests) / seconds }

    package init(token: Int?, name: String, counts: TrafficCounts, seconds: Double) {
        (self.token, self.name, self.counts, self.seconds) = (token, name, counts, seconds)
    }
}

/// The requests at the gateway that this session may see: those of one account, or all.
package struct GatewayTraffic: Sendable {
    /// The database's clock, since 1970.
    package let asOf: Duration
    /// The span begins with a full minute, so it is up to a minute longer than its name.
    package let seconds: Double
    /// Sorted by requests, the largest number first.
    package let tokens: [TokenTraffic]
    /// The requests of all tokens in each of the last 60 minutes. The last minute is not over yet.
    package let minutes: [TrafficCounts]

    /// When `minutes` begin, since 1970.
    package var start: Duration { .seconds((Int(asOf / .seconds(60)) - minutes.count + 1) * 60) }

    package static func look(_ span: TrafficSpan, on database: isolated Connection) throws -> Self {
        let now: Double = try database.query(
            "SELECT extract(epoch FROM statement_timestamp())::float8 AS now")[0].read("now")
        let minute = Int(clamping: now) / 60
        let first = minute - span.seconds / 60
        let seconds = now - Double(first * 60)
        let tokens = try database.query(
            """
            SELECT token, max(name) AS name, \(part: sums) AS numbers
            FROM gateway_minutes
            WHERE minute BETWEEN to_timestamp(\(first)::bigint * 60) AND to_timestamp(\(minute)::bigint * 60)
            GROUP BY account, token
            ORDER BY sum(local + cache + call + waiting + missed + refused) DESC, token
            """
        ).map { row in
            let token: Int = try row.read("token")
            return TokenTraffic(
                token: token == 0 ? nil : token, name: try row.read("name"),
                counts: TrafficCounts(numbers: try row.read("numbers")), seconds: seconds)
        }
        let rows = try database.query(
            """
            SELECT \(minute)::bigint - extract(epoch FROM minute)::bigint / 60 AS age, \(part: sums) AS numbers
            FROM gateway_minutes
            WHERE minute BETWEEN to_timestamp((\(minute)::bigint - 59) * 60) AND to_timestamp(\(minute)::bigint * 60)
            GROUP BY minute
            """)
        var minutes = [TrafficCounts](repeating: TrafficCounts(), count: 60)
        for row in rows {
            let age: Int = try row.read("age")
            guard minutes.indices.contains(59 - age) else { continue }
            minutes[59 - age] = TrafficCounts(numbers: try row.read("numbers"))
        }
        return Self(asOf: .seconds(now), seconds: seconds, tokens: tokens, minutes: minutes)
    }

    /// The sum of each column, and of each element of `durations`.
    private static let sums: SQL = {
        let columns =
            TrafficSource.allCases.map(\.rawValue) + (1...TrafficCounts.classes).map { "durations[\($0)]" }
        return SQL(stringLiteral: "ARRAY[" + columns.map { "sum(\($0))::bigint" }.joined(separator: ", ") + "]")
    }()
}
