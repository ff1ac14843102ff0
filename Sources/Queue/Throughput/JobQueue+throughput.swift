package import Postgres

extension JobQueue {
    /// Returns calls and subjects of the last ten seconds, minute, hour and day, by lane and by worker; see
    /// ``Throughput``.
    ///
    /// The short spans come from the log of calls, by the moment at which a call was sent. Calls under way are counted
    /// from the held jobs. Together they are the calls that the provider received, exact to the second. The long spans
    /// come from counters of whole minutes; such a span begins at a full minute.
    package func throughput(on database: isolated Connection) throws -> Throughput {
        try throughput(limits: limitRows(on: database), on: database)
    }

    func throughput(limits: [Int: [LimitState]], on database: isolated Connection) throws -> Throughput {
        let lanes = try database.query("SELECT id, name FROM lanes ORDER BY id")
        let workers = try database.query("SELECT id, name, host FROM workers ORDER BY id")
        let counts = try counts(on: database)
        var throughput = Throughput(asOf: counts.asOf)
        for row in lanes {
            let id: Int = try row.read("id")
            throughput.lanes.append(
                Throughput.Lane(
                    name: try row.read("name"), limits: limits[id] ?? [],
                    spans: counts.spans(where: { $0.lane == id }, ThroughputSpan.allCases)))
        }
        for row in workers {
            let id: WorkerID = try row.read("id")
            throughput.workers.append(
                Throughput.Worker(
                    id: id, name: try row.read("name"), host: try row.read("host"),
                    spans: counts.spans(where: { $0.worker == id }, [.tenSeconds, .minute, .hour])))
        }
        return throughput
    }

    /// One statement, so that no call is counted both as under way and as ended, or as neither.
    private func counts(on database: isolated Connection) throws -> Counts {
        let rows = try database.query(
            """
            WITH recent AS MATERIALIZED (
                SELECT lane, worker, subjects, started_at, outcome_counter(outcome::text) AS counter,
                       outcome_ends_job(outcome::text) AS ends
                FROM calls
                WHERE started_at > statement_timestamp() - interval '1 minute'
            ), leaving AS (
                SELECT lane, worker, starts_at
                FROM jobs
                WHERE worker IS NOT NULL AND starts_at <= statement_timestamp()
            ), done AS (
                SELECT span, lane, worker, 0 AS under_way,
                       count(*) FILTER (WHERE counter = 'answered') AS answered,
                       count(*) FILTER (WHERE counter = 'retried') AS retried,
                       count(*) FILTER (WHERE counter = 'limited') AS limited,
                       count(*) FILTER (WHERE counter = 'failed') AS failed,
                       count(*) FILTER (WHERE counter = 'lost') AS lost,
                       coalesce(sum(subjects) FILTER (WHERE ends), 0) AS subjects
                FROM recent,
                     (VALUES ('10s', interval '10 seconds'), ('1m', interval '1 minute')) AS spans (span, length)
                WHERE started_at > statement_timestamp() - length
                GROUP BY span, lane, worker
                UNION ALL
                SELECT span, lane, worker, 0,
                       sum(calls - retried - limited - failed - lost), sum(retried), sum(limited), sum(failed), sum(lost),
                       sum(subjects)
                FROM throughput,
                     (VALUES ('1h', interval '1 hour'), ('1d', interval '1 day')) AS spans (span, length)
                WHERE minute > statement_timestamp() - interval '1 day' AND minute > statement_timestamp() - length
                GROUP BY span, lane, worker
                UNION ALL
                SELECT span, lane, worker, count(*), 0, 0, 0, 0, 0, 0
                FROM leaving,
                     (VALUES ('10s', interval '10 seconds'), ('1m', interval '1 minute'), ('1h', interval '1 hour'),
                             ('1d', interval '1 day')) AS spans (span, length)
                WHERE starts_at > statement_timestamp() - length
                GROUP BY span, lane, worker
            ), everything AS (
                SELECT span, lane, worker, sum(answered)::bigint AS answered, sum(retried)::bigint AS retried,
                       sum(limited)::bigint AS limited, sum(failed)::bigint AS failed, sum(lost)::bigint AS lost,
                       sum(under_way)::bigint AS under_way, sum(subjects)::bigint AS subjects
                FROM done
                GROUP BY span, lane, worker
            )
            SELECT everything.*, extract(epoch FROM statement_timestamp()) AS as_of,
                   extract(second FROM statement_timestamp())::float8 AS into_minute
            FROM (SELECT) AS once
            LEFT JOIN everything ON true
            """)
        var counts = Counts(asOf: try rows[0].read("as_of"), intoMinute: try rows[0].read("into_minute"))
        for row in rows {
            // There is always a row, which has the moment.
            guard let span = try row.readIfPresent("span").flatMap(ThroughputSpan.init(rawValue:)) else { continue }
            counts.parts.append(
                Counts.Part(
                    span: span, lane: try row.read("lane"), worker: try row.read("worker"),
                    counts: try CallCounts(row)))
        }
        return counts
    }

    private struct Counts {
        struct Part {
            let span: ThroughputSpan
            let lane: Int
            let worker: WorkerID
            let counts: CallCounts
        }

        let asOf: Duration
        /// Seconds since the present minute began: the span of the minute counters differs by that much.
        let intoMinute: Double
        var parts: [Part] = []

        func spans(where isMeant: (Part) -> Bool, _ spans: [ThroughputSpan]) -> [ThroughputSpan: Throughput.Count] {
            let meant = parts.filter(isMeant)
            let counted = spans.map { span in
                let counts = meant.filter { $0.span == span }.map(\.counts).reduce(CallCounts(), +)
                return (span, Throughput.Count(counts, seconds: seconds(of: span)))
            }
            return Dictionary(counted) { first, _ in first }
        }

        /// The first minute that counts is the first one that began within the span.
        private func seconds(of span: ThroughputSpan) -> Double {
            switch span {
            case .tenSeconds, .minute: span.seconds
            case .hour, .day: span.seconds - 60 + intoMinute
            }
        }
    }
}
