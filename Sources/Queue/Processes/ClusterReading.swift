package import Postgres

/// The state that all processes of a cluster share, read from the database at one moment, for metrics.
package struct ClusterReading: Sendable {
    package struct Lane: Sendable {
        package let state: LaneState
        /// The largest uncertainty of the database's clock among the workers.
        package let spread: Duration
        /// Limits for an hour or longer, and the calls in the same length of time up to now. The oldest minute is left
        /// out, or the oldest hour if only hours are stored.
        package let windows: [(limit: RateLimit, calls: Int)]
        /// Calls of this calendar month, by UTC.
        package let monthCalls: Int
    }

    package let lanes: [Lane]

    /// The numbers of workers that take jobs, that are quiet, and that are silent.
    package let workers: (active: Int, quiet: Int, silent: Int)
    package let longestSilence: Duration
    /// Each worker that starts takes the next number.
    package let newestWorker: WorkerID

    package let coordinators: Int
    package let isLed: Bool
    package let term: Int

    /// How often the database's clock was set.
    package let clockSteps: Int
    /// The seconds that the database's clock gains in each second: above zero while it is slewed ahead.
    package let clockRate: Double
}

extension ProcessRegistry {
    /// Reads the whole state. It counts no more than ``JobQueue/lanes(_:on:)`` does.
    package func clusterReading(on database: isolated Connection) throws -> ClusterReading {
        let states = try JobQueue().lanes(on: database)
        let spreads = try spreads(on: database)
        let calls = try windowCalls(on: database)
        let monthCalls = try monthCalls(on: database)
        let row = try database.query(
            """
            SELECT count(*) FILTER (WHERE NOT quiet AND NOT is_silent) AS active,
                   count(*) FILTER (WHERE quiet AND NOT is_silent) AS quiet,
                   count(*) FILTER (WHERE is_silent) AS silent,
                   coalesce(extract(epoch FROM now()) - extract(epoch FROM min(seen_at)), 0) AS longest_silence,
                   (SELECT greatest(checked_for, coalesce((SELECT max(id) FROM workers), 0)) FROM server_clock) AS newest,
                   (SELECT count(*) FROM clock_steps
                    WHERE size NOT BETWEEN -\(ClockStep.smallest)::interval AND \(ClockStep.smallest)::interval
                   ) AS clock_steps,
                   (SELECT rate FROM server_clock) AS clock_rate,
                   (SELECT count(*) FROM coordinators) AS coordinators,
                   (SELECT term FROM leadership) AS term,
                   EXISTS (
                       SELECT FROM leadership JOIN coordinators ON coordinators.id = coordinator WHERE until > now()
                   ) AS is_led
            FROM workers,
            LATERAL (SELECT seen_at < now() - \(silenceLimit)::interval AS is_silent) AS heard
            """)[0]
        let lanes = states.map { state in
            let windows = state.limits.compactMap { limit in
                calls[state.lane]?[limit.limit.per].map { (limit: limit.limit, calls: $0) }
            }
            return ClusterReading.Lane(
                state: state, spread: spreads[state.lane] ?? .zero, windows: windows,
                monthCalls: monthCalls[state.lane] ?? 0)
        }
        return try ClusterReading(
            lanes: lanes,
            workers: (active: row.read("active"), quiet: row.read("quiet"), silent: row.read("silent")),
            longestSilence: max(.zero, row.read("longest_silence")), newestWorker: row.read("newest"),
            coordinators: row.read("coordinators"), isLed: row.read("is_led"), term: row.read("term"),
            clockSteps: row.read("clock_steps"), clockRate: row.read("clock_rate"))
    }

    /// Returns the largest uncertainty of the database's clock among each lane's workers.
    private func spreads(on database: isolated Connection) throws -> [String: Duration] {
        let rows = try database.query(
            "SELECT name, extract(epoch FROM greatest(spread, spread_before)) AS spread FROM lanes")
        return Dictionary(try rows.map { (try $0.read("name"), try $0.read("spread")) }) { first, _ in first }
    }

    private func monthCalls(on database: isolated Connection) throws -> [String: Int] {
        let rows = try database.query(
            """
            SELECT name, sum(calls)::bigint AS calls
            FROM throughput
            JOIN lanes ON lanes.id = lane
            WHERE minute >= date_trunc('month', statement_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
            GROUP BY name
            """)
        return Dictionary(try rows.map { (try $0.read("name"), try $0.read("calls")) }) { first, _ in first }
    }

    /// Returns calls by lane, and by the length of the limit's time.
    private func windowCalls(on database: isolated Connection) throws -> [String: [Duration: Int]] {
        let rows = try database.query(
            """
            SELECT name, extract(epoch FROM per) AS per_seconds,
                   (
                       SELECT coalesce(sum(calls), 0)
                       FROM throughput
                       WHERE lane = lanes.id AND minute > statement_timestamp() - per
                   ) AS calls
            FROM token_buckets
            JOIN lanes ON lanes.id = lane
            WHERE per >= '1 hour'
            """)
        var calls: [String: [Duration: Int]] = [:]
        for row in rows {
            calls[try row.read("name"), default: [:]][try row.read("per_seconds")] = try row.read("calls")
        }
        return calls
    }
}
