package import Postgres

/// A job that ended well, as the log of calls contains it.
package struct FinishedJob: Identifiable, Sendable {
    package let id: Int
    package let lane: String
    /// `done`, or `moved` if other lanes took over the left-overs.
    package let outcome: String
    /// When its last call was sent, in microseconds since 1970.
    package let startedAt: Int
    package let took: Duration?
    package let subjects: Int
    package let worker: JobState.Holder

    /// The place where a list of finished jobs continues.
    package struct Cursor: Sendable, Hashable {
        let startedAt: Int
        let id: Int

        package init(after job: FinishedJob) { (startedAt, id) = (job.startedAt, job.id) }

        /// Reads the format of ``text``.
        package init?(text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard parts.count == 2, parts[0] > 0, parts[1] > 0, parts[0] < 9_000_000_000_000_000 else { return nil }
            (startedAt, id) = (parts[0], parts[1])
        }

        package var text: String { "\(startedAt).\(id)" }
    }
}

extension JobQueue {
    /// Returns the jobs that ended well, the latest first: those of the day before now, or before the cursor.
    ///
    /// No index has the log of calls in this order. So the last minute is read first, then the hour, then the day.
    package func finished(
        in lane: String? = nil, after cursor: FinishedJob.Cursor? = nil, limit: Int, on database: isolated Connection
    ) throws -> [FinishedJob] {
        if let lane { _ = try self.lane(lane, on: database) }
        var jobs: [FinishedJob] = []
        for seconds in [60, 3_600, 86_400] where jobs.count < limit {
            jobs = try finished(in: lane, after: cursor, within: seconds, limit: limit, on: database)
        }
        return jobs
    }

    private static let microseconds: SQL = "(extract(epoch FROM calls.started_at) * 1000000)::bigint"

    private func finished(
        in lane: String?, after cursor: FinishedJob.Cursor?, within seconds: Int, limit: Int,
        on database: isolated Connection
    ) throws -> [FinishedJob] {
        // A stable expression: with it the planner uses the index, and reads only the partitions of these days.
        let end: SQL =
            cursor.map { "to_timestamp(\(Double($0.startedAt) / 1_000_000)::float8)" } ?? "statement_timestamp()"
        let rest: SQL =
            cursor.map { "AND (\(part: Self.microseconds), job) < (\($0.startedAt)::bigint, \($0.id)::bigint)" } ?? ""
        return try database.query(
            """
            SELECT calls.job AS id, lanes.name AS lane, outcome, subjects, took, worker, workers.name, workers.host,
                   \(part: Self.microseconds) AS started_at
            FROM calls
            JOIN lanes ON lanes.id = calls.lane
            LEFT JOIN workers ON workers.id = worker
            WHERE calls.started_at > \(part: end) - make_interval(secs => \(seconds))
              AND calls.started_at < \(part: end) + interval '1 second'
              AND outcome = ANY (\(CallOutcome.names(where: \.hasAnswer))::call_outcome[]) AND job IS NOT NULL
              AND (\(lane)::text IS NULL OR lanes.name = \(lane))
              \(part: rest)
            ORDER BY calls.started_at DESC, job DESC
            LIMIT \(limit)
            """
        ).map { row in
            FinishedJob(
                id: try row.read("id"), lane: try row.read("lane"), outcome: try row.read("outcome"),
                startedAt: try row.read("started_at"), took: try row.readIfPresent("took"),
                subjects: try row.read("subjects"),
                worker: JobState.Holder(
                    id: try row.read("worker"), name: try row.readIfPresent("name"), host: try row.readIfPresent("host")
                ))
        }
    }
}
