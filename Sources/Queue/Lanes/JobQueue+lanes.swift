package import Postgres
import Processes

extension JobQueue {
    /// Returns the state of each lane, or only of the lane with this name.
    package func lanes(_ only: String? = nil, on database: isolated Connection) throws -> [LaneState] {
        try lanes(only, limits: limitRows(on: database), countsCalls: true, on: database)
    }

    /// Returns the states of all lanes and the throughput. Reads the limits and the log of calls only once.
    package func overview(on database: isolated Connection) throws -> (lanes: [LaneState], throughput: Throughput) {
        let limits = try limitRows(on: database)
        let throughput = try throughput(limits: limits, on: database)
        let counts = Dictionary(throughput.lanes.map { ($0.name, $0.spans[.minute]?.counts) }) { first, _ in first }
        let lanes = try lanes(nil, limits: limits, countsCalls: false, on: database).map { lane in
            var lane = lane
            lane.callsLastMinute = (counts[lane.lane] ?? nil)?.calls ?? 0
            return lane
        }
        return (lanes, throughput)
    }

    private func lanes(
        _ only: String?, limits: [Int: [LimitState]], countsCalls: Bool, on database: isolated Connection
    ) throws -> [LaneState] {
        try database.query(
            """
            WITH minute AS MATERIALIZED (
                SELECT lane, count(*) AS calls
                FROM calls
                WHERE \(countsCalls)::boolean AND started_at > statement_timestamp() - interval '1 minute'
                GROUP BY lane
            )
            SELECT lanes.*,
                   lane_obstacle(lanes, clock_timestamp()) AS obstacle,
                   is_probing(lanes) AS is_probing,
                   extract(epoch FROM paused_at) AS paused,
                   extract(epoch FROM blocked_until) AS blocked,
                   extract(epoch FROM failed_at) AS failed_at_seconds,
                   statement_timestamp() - failed_at BETWEEN '0' AND recent_time() AS fails_recently,
                   \(part: LaneSettings.columns)
                   extract(epoch FROM clock_timestamp()) AS as_of,
                   waiting.ready, waiting.later, waiting.dead, waiting.calls AS calls_to_come, done.*,
                   extract(epoch FROM waiting.last_due - statement_timestamp()) AS last_due_in,
                   extract(epoch FROM waiting.counted_at) AS counted_at,
                   extract(epoch FROM statement_timestamp() - oldest_due(lanes.id)) AS oldest_waited,
                   extract(epoch FROM limits_changed_at) AS limits_changed,
                   holding.held, holding.to_come,
                   holding.leaving + coalesce((SELECT calls FROM minute WHERE lane = lanes.id), 0) AS calls_last_minute,
                   (SELECT count(*) FROM workers WHERE lanes.name = ANY (workers.lanes) AND NOT quiet) AS workers
            FROM lanes,
            LATERAL backlog(lanes.id) AS waiting,
            LATERAL (\(part: Self.heldJobs)) AS holding,
            LATERAL (\(part: Self.counters)) AS done
            WHERE \(only)::text IS NULL OR name = \(only)
            ORDER BY lanes.id
            """
        ).map { try LaneState($0, limits: limits[$0.read("id")] ?? []) }
    }

    /// Selects the numbers of a lane's held jobs: all, those whose slots are still to come, and those that are called.
    private static let heldJobs: SQL = """
        SELECT count(*) AS held,
               count(*) FILTER (WHERE starts_at > statement_timestamp()) AS to_come,
               count(*) FILTER (WHERE starts_at BETWEEN statement_timestamp() - interval '1 minute'
                                                    AND statement_timestamp()) AS leaving
        FROM jobs
        WHERE lane = lanes.id AND worker IS NOT NULL
        """

    /// Selects the sums of a lane's counters, of all times, of recent minutes (`_recently`), and of the last five full
    /// ones with calls (`recent_rate`).
    private static let counters: SQL = """
        SELECT coalesce(sum(calls), 0) AS calls,
               coalesce(sum(subjects), 0)::bigint AS subjects,
               coalesce(sum(retries), 0) AS retries,
               coalesce(sum(voided), 0) AS voided,
               coalesce(sum(late), 0) AS late,
               coalesce(sum(slipped), 0) AS slipped,
               coalesce(sum(slipped) FILTER (WHERE is_late), 0) AS slipped_recently,
               -- A call that was never sent is counted in `retries` and in no other column.
               coalesce(sum(retries - limited + failed) FILTER (WHERE is_late), 0) AS failed_recently,
               coalesce(sum(calls + retries - retried - limited) FILTER (WHERE is_late), 0) AS tried_recently,
               sum(calls) FILTER (WHERE is_recent)
                   / (60.0 * count(DISTINCT minute) FILTER (WHERE is_recent)) AS recent_rate
        FROM throughput,
        LATERAL (
            SELECT calls > 0
                   AND minute >= date_trunc('minute', statement_timestamp()) - interval '5 minutes'
                   AND minute < date_trunc('minute', statement_timestamp()) AS is_recent,
                   -- `minute` is when a minute begins.
                   minute > statement_timestamp() - recent_time() - interval '1 minute' AS is_late
        ) AS recent
        WHERE lane = lanes.id
        """

    /// Returns the lane with this name.
    package func lane(_ name: String, on database: isolated Connection) throws -> LaneState {
        guard let state = try lanes(name, on: database).first else { throw QueueError.noLane(name) }
        return state
    }

    /// Throws if no lane has one of these names.
    package func require(_ names: Set<String>, on database: isolated Connection) throws {
        let missing = try database.query(
            """
            SELECT name
            FROM unnest(\(names.sorted())) AS wanted (name)
            WHERE NOT EXISTS (SELECT FROM lanes WHERE lanes.name = wanted.name)
            LIMIT 1
            """
        ).first
        if let missing { throw QueueError.noLane(try missing.read("name")) }
    }

    /// Returns the limits of all lanes by the lane's id, the shortest time first.
    func limitRows(on database: isolated Connection) throws -> [Int: [LimitState]] {
        var limits: [Int: [LimitState]] = [:]
        let rows = try database.query(
            """
            SELECT lane, refill, capacity, pace,
                   extract(epoch FROM per) AS per_seconds,
                   extract(epoch FROM grace) AS grace_seconds,
                   extract(epoch FROM greatest(spread, spread_before)) AS spread_seconds,
                   extract(epoch FROM full_at - clock_timestamp()) AS full_in
            FROM token_buckets
            JOIN lanes ON lanes.id = lane
            ORDER BY lane, per
            """)
        for row in rows {
            let limit = try RateLimit(row.read("refill"), per: row.read("per_seconds"), burst: row.read("capacity"))
            guard let limit else { continue }
            limits[try row.read("lane"), default: []].append(
                LimitState(
                    limit, pace: try row.read("pace"), grace: try row.read("grace_seconds"),
                    spread: try row.read("spread_seconds"), fullIn: try row.read("full_in")))
        }
        return limits
    }
}

extension LaneState {
    fileprivate init(_ row: Row, limits: [LimitState]) throws {
        let now: Duration = try row.read("as_of")
        let settings = try LaneSettings(row)
        lane = try row.read("name")
        kind = try LaneKind(rawValue: row.read("kind")) ?? .geocoding
        self.settings = settings
        self.limits = limits
        faults = try row.read("faults")
        trips = try row.read("trips")
        condition = try LaneCondition(row)
        pace = try row.read("pace")
        ready = try row.read("ready")
        later = try row.read("later")
        held = try row.read("held")
        slotsToCome = try row.read("to_come")
        limitsChangedAt = try row.read("limits_changed")
        dead = try row.read("dead")
        lastDueIn = try row.readIfPresent("last_due_in")
        oldestWaited = try row.readIfPresent("oldest_waited")
        countedAt = try row.read("counted_at")
        workers = try row.read("workers")
        calls = try row.read("calls")
        subjects = try row.read("subjects")
        retries = try row.read("retries")
        voided = try row.read("voided")
        late = try row.read("late")
        slipped = try row.read("slipped")
        slippedRecently = try row.read("slipped_recently")
        failures =
            try row.readIfPresent("fails_recently") == true
            ? RecentFailures(
                reason: try row.read("failed_because"), at: try row.read("failed_at_seconds"),
                failed: max(1, try row.read("failed_recently")), calls: max(1, try row.read("tried_recently")))
            : nil
        callsToCome = try Int(clamping: (row.read("calls_to_come", as: Double.self) - 1e-6).rounded(.up))
        callsLastMinute = try row.read("calls_last_minute")
        recentRate = try row.readIfPresent("recent_rate")
        asOf = now
    }
}
