package import Postgres

extension JobQueue {
    /// Returns up to `limit` jobs: held jobs first, then waiting ones in the lane's order, then dead ones, the latest
    /// first. With `after`, only those behind it.
    package func list(
        _ kinds: [JobState.Kind] = JobState.Kind.allCases, in lane: String? = nil, after: JobCursor? = nil, limit: Int,
        on database: isolated Connection
    ) throws -> [JobState] {
        if let lane { _ = try self.lane(lane, on: database) }
        var jobs: [JobState] = []
        let order = JobState.Kind.allCases
        let rest = order.drop { kind in after.map { kind != $0.kind } ?? false }
        for kind in rest where kinds.contains(kind) && jobs.count < limit {
            let after = after.flatMap { $0.kind == kind ? $0 : nil }
            jobs += try rows(of: kind, in: lane, after: after, limit: limit - jobs.count, on: database)
                .map { try JobState($0) }
        }
        return jobs
    }

    /// Returns the job with this id; nil if it ended or never existed.
    package func job(_ id: Int, on database: isolated Connection) throws -> JobState? {
        try rows(waiting: "jobs.id = \(id)", dead: "dead_jobs.id = \(id)", limit: 1, on: database).first
            .map { try JobState($0, history: history(of: id, on: database)) }
    }

    /// Returns those of these jobs that wait or are held, then the dead jobs with one of these questions, the latest
    /// first.
    package func jobs(
        _ ids: [Int], orDeadWith questions: [Int], limit: Int, on database: isolated Connection
    ) throws -> [JobState] {
        try rows(
            waiting: "jobs.id = ANY (\(ids))",
            dead: "subjects && \(questions)::bigint[] AND lanes.kind = 'geocoding'", limit: limit,
            on: database
        ).map { try JobState($0) }
    }

    private func rows(waiting: SQL, dead: SQL, limit: Int, on database: isolated Connection) throws -> Rows {
        try database.query(
            """
            SELECT *
            FROM (
                SELECT jobs.id, lanes.name AS lane, priority, failures, losses, subjects,
                       history->-1->>'reason' AS reason,
                       CASE WHEN worker IS NOT NULL THEN 'held' WHEN run_at <= statement_timestamp() THEN 'ready' ELSE 'later' END
                           AS kind,
                       extract(epoch FROM coalesce(starts_at, run_at)) AS moment,
                       worker, workers.name, workers.host, extract(epoch FROM statement_timestamp()) AS as_of
                FROM jobs
                JOIN lanes ON lanes.id = lane
                LEFT JOIN workers ON workers.id = worker
                WHERE \(part: waiting)
                UNION ALL
                SELECT dead_jobs.id, lanes.name, priority, failures, losses, subjects, reason, 'dead',
                       extract(epoch FROM died_at), NULL, NULL, NULL, extract(epoch FROM statement_timestamp())
                FROM dead_jobs
                JOIN lanes ON lanes.id = lane
                WHERE \(part: dead)
            ) AS job
            ORDER BY kind = 'dead', CASE WHEN kind = 'dead' THEN -moment ELSE moment END, id
            LIMIT \(limit)
            """)
    }

    private func history(of id: Int, on database: isolated Connection) throws -> [JobState.Failure] {
        try database.query(
            """
            SELECT extract(epoch FROM (failure->>'at')::timestamptz) AS at,
                   (failure->>'worker')::integer AS worker,
                   failure->>'reason' AS reason,
                   extract(epoch FROM (failure->>'started')::timestamptz) AS started_at,
                   (failure->>'took')::float8 AS took
            FROM (
                SELECT id, history FROM jobs
                UNION ALL
                SELECT id, history FROM dead_jobs
            ) AS job,
            jsonb_array_elements(history) WITH ORDINALITY AS failures (failure, place)
            WHERE id = \(id)
            ORDER BY place
            """
        ).map {
            try JobState.Failure(
                at: $0.read("at"), startedAt: $0.readIfPresent("started_at"),
                took: $0.readIfPresent("took"),
                worker: $0.readIfPresent("worker"), reason: $0.readIfPresent("reason"))
        }
    }

    private func rows(
        of kind: JobState.Kind, in lane: String?, after: JobCursor?, limit: Int, on database: isolated Connection
    ) throws -> Rows {
        switch kind {
        case .held: try heldRows(in: lane, after: after, limit: limit, on: database)
        case .ready, .later: try waitingRows(of: kind, in: lane, after: after, limit: limit, on: database)
        case .dead: try deadRows(in: lane, after: after, limit: limit, on: database)
        }
    }

    private func heldRows(
        in lane: String?, after: JobCursor?, limit: Int, on database: isolated Connection
    ) throws -> Rows {
        try database.query(
            """
            SELECT 'held' AS kind, jobs.id, lanes.name AS lane, priority, failures, losses, subjects,
                   history->-1->>'reason' AS reason, extract(epoch FROM starts_at) AS moment,
                   worker, workers.name, workers.host, extract(epoch FROM statement_timestamp()) AS as_of
            FROM jobs
            JOIN lanes ON lanes.id = lane
            LEFT JOIN workers ON workers.id = worker
            WHERE worker IS NOT NULL AND (\(lane)::text IS NULL OR lanes.name = \(lane))
              AND (\(after?.id)::bigint IS NULL OR (starts_at, jobs.id) > (\(part: Self.moment(after)), \(after?.id)))
            ORDER BY starts_at, jobs.id
            LIMIT \(limit)
            """)
    }

    /// Reads one lane and one priority at a time: the index has this order, so millions of jobs are not sorted for ten.
    private func waitingRows(
        of kind: JobState.Kind, in lane: String?, after: JobCursor?, limit: Int, on database: isolated Connection
    ) throws -> Rows {
        try database.query(
            """
            SELECT \(kind.rawValue)::text AS kind, job.*, lanes.name AS lane, NULL AS worker, NULL AS name, NULL AS host,
                   extract(epoch FROM statement_timestamp()) AS as_of
            FROM lanes, generate_series(3, 0, -1) AS urgency,
            (
                SELECT (SELECT id FROM lanes WHERE name = \(after?.lane)) AS lane, \(after?.priority)::integer AS priority,
                       \(part: Self.moment(after)) AS moment, \(after?.id)::bigint AS id
            ) AS place,
            LATERAL (SELECT (lanes.id, urgency) = (place.lane, place.priority) AS is_here) AS here,
            LATERAL (
                SELECT id, priority, failures, losses, subjects, history->-1->>'reason' AS reason,
                       extract(epoch FROM run_at) AS moment
                FROM jobs
                WHERE lane = lanes.id AND priority = urgency AND is_waiting(jobs)
                  AND (run_at, id) > (CASE WHEN is_here THEN place.moment ELSE '-infinity' END,
                                      CASE WHEN is_here THEN place.id ELSE 0 END)
                  AND run_at >= CASE WHEN \(kind == .later) THEN statement_timestamp() + interval '1 microsecond' ELSE '-infinity' END
                  AND run_at <= CASE WHEN \(kind == .ready) THEN statement_timestamp() ELSE 'infinity' END
                ORDER BY run_at, id
                LIMIT \(limit)
            ) AS job
            WHERE (\(lane)::text IS NULL OR lanes.name = \(lane))
              AND (place.id IS NULL OR (lanes.id, -urgency) >= (place.lane, -place.priority))
            ORDER BY lanes.id, urgency DESC, job.moment, job.id
            LIMIT \(limit)
            """)
    }

    private func deadRows(
        in lane: String?, after: JobCursor?, limit: Int, on database: isolated Connection
    ) throws -> Rows {
        try database.query(
            """
            SELECT 'dead' AS kind, dead_jobs.id, lanes.name AS lane, priority, failures, losses, subjects, reason,
                   extract(epoch FROM died_at) AS moment, NULL AS worker, NULL AS name, NULL AS host,
                   extract(epoch FROM statement_timestamp()) AS as_of
            FROM dead_jobs
            JOIN lanes ON lanes.id = lane
            WHERE (\(lane)::text IS NULL OR lanes.name = \(lane))
              AND (\(after?.id)::bigint IS NULL
                   OR (died_at, dead_jobs.id) < (\(part: Self.moment(after)), \(after?.id)))
            ORDER BY died_at DESC, dead_jobs.id DESC
            LIMIT \(limit)
            """)
    }

    private static func moment(_ cursor: JobCursor?) -> SQL {
        "('epoch'::timestamptz + \(cursor?.moment)::float8 * interval '1 microsecond')"
    }
}

extension JobState {
    fileprivate init(_ row: Row, history: [Failure] = []) throws {
        id = try row.read("id")
        lane = try row.read("lane")
        kind = try Kind(rawValue: row.read("kind")) ?? .ready
        priority = try row.read("priority")
        failures = try row.read("failures")
        losses = try row.read("losses")
        subjects = try row.read("subjects")
        moment = try row.read("moment")
        worker = try row.readIfPresent("worker").map {
            Holder(id: $0, name: try row.readIfPresent("name"), host: try row.readIfPresent("host"))
        }
        reason = try row.readIfPresent("reason") ?? history.last?.reason
        self.history = history
        asOf = try row.read("as_of")
    }
}
