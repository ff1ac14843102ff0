package import Postgres

/// How many jobs match a selection, as ``JobQueue/count(_:on:)`` counts them.
package typealias JobCount = (waiting: Int, delayed: Int, dead: Int)

/// Run each of these in a transaction, together with the change of the subjects.
extension JobQueue {
    /// Counts the matching jobs: waiting ones, delayed ones that a retry would make due, and dead ones.
    package func count(_ selection: JobSelection, on database: isolated Connection) throws -> JobCount {
        if let lane = selection.lane { _ = try self.lane(lane, on: database) }
        let row = try database.query(
            """
            SELECT count(*) FILTER (WHERE NOT is_dead) AS waiting,
                   count(*) FILTER (WHERE is_delayed) AS delayed,
                   count(*) FILTER (WHERE is_dead) AS dead
            FROM (
                SELECT id, lane, history->-1->>'reason' AS reason, false AS is_dead,
                       run_at > statement_timestamp() OR failures > 0 AS is_delayed
                FROM jobs
                WHERE is_waiting(jobs)
                UNION ALL
                SELECT id, lane, reason, true, false FROM dead_jobs
            ) AS job
            WHERE \(part: selection.condition(reason: "reason"))
            """)[0]
        return (waiting: try row.read("waiting"), delayed: try row.read("delayed"), dead: try row.read("dead"))
    }

    /// Makes waiting jobs ready now, as if they had never failed. Jobs that are ready already stay as they are, unless
    /// the selection is a single job. Returns how many jobs it changed.
    package func hasten(_ selection: JobSelection, on database: isolated Connection) throws -> Int {
        let hastened = try database.query(
            """
            WITH hastened AS (
                UPDATE jobs
                SET run_at = least(run_at, statement_timestamp()), failures = 0
                WHERE is_waiting(jobs)
                  AND (\(selection.id)::bigint IS NOT NULL OR run_at > statement_timestamp() OR failures > 0)
                  AND \(part: selection.ofWaiting)
                RETURNING lane
            )
            SELECT lanes.name FROM hastened JOIN lanes ON lanes.id = lane
            """)
        return try tellReady(lanesOf: hastened, on: database)
    }

    /// Locks up to `limit` dead jobs for ``revive(_:carrying:on:)``: jobs with questions, and uploads, which have
    /// trackers.
    package func lockDead(
        _ selection: JobSelection, limit: Int, on database: isolated Connection
    ) throws -> (ofQuestions: [QueuedJob], uploads: [QueuedJob]) {
        let rows = try database.query(
            """
            SELECT id, subjects, (SELECT kind = 'upload' FROM lanes WHERE lanes.id = lane) AS is_upload
            FROM dead_jobs
            WHERE \(part: selection.ofDead)
            ORDER BY id
            LIMIT \(limit)
            FOR UPDATE
            """)
        let uploads = try rows.filter { try $0.read("is_upload") }
        let others = try rows.filter { try !$0.read("is_upload", as: Bool.self) }
        return (try others.map(QueuedJob.init), try uploads.map(QueuedJob.init))
    }

    /// Puts dead jobs back into their lanes, with their old ids and without failures. Each keeps only those `subjects`
    /// that still need an answer. A job without any is deleted. Returns how many were revived.
    package func revive(
        _ dead: [QueuedJob], carrying subjects: Set<Int>, on database: isolated Connection
    ) throws -> Int {
        guard !dead.isEmpty else { return 0 }
        let revived = try database.query(
            """
            WITH taken AS (
                DELETE FROM dead_jobs
                WHERE id = ANY (\(dead.map(\.id)))
                RETURNING *
            ), revived AS (
                INSERT INTO jobs (id, lane, priority, subjects, history)
                OVERRIDING SYSTEM VALUE
                SELECT id, lane, priority, needed, history
                FROM taken,
                LATERAL (
                    SELECT array_agg(subject ORDER BY place) AS needed
                    FROM unnest(subjects) WITH ORDINALITY AS carried (subject, place)
                    WHERE subject = ANY (\(Array(subjects)))
                ) AS still
                WHERE needed IS NOT NULL
                RETURNING lane
            )
            SELECT lanes.name FROM revived JOIN lanes ON lanes.id = lane
            """)
        return try tellReady(lanesOf: revived, on: database)
    }

    /// Moves up to `limit` waiting jobs to the dead ones; jobs that workers hold stay. Returns these jobs with their
    /// subjects.
    package func cancel(
        _ selection: JobSelection, limit: Int, on database: isolated Connection
    ) throws -> [QueuedJob] {
        try database.query(
            """
            WITH meant AS (
                SELECT jobs.id
                FROM jobs
                WHERE is_waiting(jobs)
                  AND \(part: selection.ofWaiting)
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            ), cancelled AS (
                DELETE FROM jobs
                USING meant
                WHERE jobs.id = meant.id
                RETURNING jobs.id, lane, priority, failures, losses, subjects, history
            )
            INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, history, reason)
            SELECT id, lane, priority, failures, losses, subjects, history, 'cancelled by a person'
            FROM cancelled
            RETURNING id, subjects
            """
        ).map(QueuedJob.init)
    }

    /// Deletes dead jobs. Their subjects stay failed. Returns how many.
    package func discard(
        _ selection: JobSelection, by author: Author? = nil, on database: isolated Connection
    ) throws -> Int {
        let discarded = try database.query(
            """
            DELETE FROM dead_jobs
            WHERE \(part: selection.ofDead)
            """
        ).affected
        try log(.discardJobs, selection, discarded, by: author, on: database)
        return discarded
    }

    /// Writes an action on jobs to the audit log, with their number, if there are any.
    package func log(
        _ verb: Act.Verb, _ selection: JobSelection, _ count: Int, by author: Author?,
        on database: isolated Connection
    ) throws {
        guard count > 0 else { return }
        try AuditLog().append(verb, selection.target, after: selection.words(of: count), by: author, on: database)
    }

    /// Gives a waiting job the highest priority, and makes it due. Returns false if it doesn't wait.
    ///
    /// It goes behind jobs that were hurried before: in front of them, a worker's claim hint might skip it. A job that was
    /// hurried already keeps its place.
    package func hurry(_ job: Int, by author: Author? = nil, on database: isolated Connection) throws -> Bool {
        let row = try database.query(
            """
            UPDATE jobs
            SET priority = \(Priority.now.rawValue),
                run_at = CASE WHEN priority = \(Priority.now.rawValue) THEN least(run_at, clock_timestamp())
                         ELSE clock_timestamp() END
            FROM lanes
            WHERE jobs.id = \(job) AND lanes.id = lane AND is_waiting(jobs)
            RETURNING lanes.name
            """
        ).first
        guard let row else { return false }
        try tellReady([row.read("name")], on: database)
        try AuditLog().append(.hurryJob, "\(job)", by: author, on: database)
        return true
    }

    /// Moves a subject from its waiting job into a job of its own with the highest priority. Returns the new job; nil
    /// if the old job doesn't wait, or doesn't have the subject.
    ///
    /// The caller stores in the same transaction which job has the subject now.
    package func hurry(subject: Int, of job: Int, on database: isolated Connection) throws -> QueuedJob? {
        let carrier = try database.query(
            """
            SELECT cardinality(subjects) AS size
            FROM jobs
            WHERE id = \(job) AND is_waiting(jobs) AND \(subject) = ANY (subjects)
            FOR UPDATE
            """
        ).first
        guard let carrier else { return nil }
        if try carrier.read("size", as: Int.self) == 1 {
            return try hurry(job, on: database) ? QueuedJob(id: job, subjects: [subject]) : nil
        }
        let row = try database.query(
            """
            WITH rest AS (
                UPDATE jobs
                SET subjects = array_remove(subjects, \(subject)::bigint)
                WHERE id = \(job)
                RETURNING lane, failures, losses, history, chain, call_number
            ), own AS (
                -- The new job gets the trace of this session by default, not that of the old job.
                INSERT INTO jobs (lane, priority, run_at, failures, losses, history, chain, call_number, subjects)
                SELECT lane, \(Priority.now.rawValue), clock_timestamp(), failures, losses, history, chain, call_number,
                       ARRAY[\(subject)::bigint]
                FROM rest
                RETURNING id, lane
            )
            SELECT own.id, lanes.name FROM own JOIN lanes ON lanes.id = lane
            """)[0]
        try tellReady([row.read("name")], on: database)
        return QueuedJob(id: try row.read("id"), subjects: [subject])
    }

    /// Removes subjects from a waiting job, and deletes a job without subjects. The caller's transaction has locked the
    /// job.
    package func remove(_ subjects: [Int], fromWaiting job: Int, on database: isolated Connection) throws {
        try remove(subjects, from: job, in: "jobs", on: database)
    }

    /// Removes subjects from a dead job, because other jobs have them now. Deletes a job without subjects.
    package func remove(_ subjects: [Int], fromDead job: Int, on database: isolated Connection) throws {
        try remove(subjects, from: job, in: "dead_jobs", on: database)
    }

    private func remove(
        _ subjects: [Int], from job: Int, in table: SQL, on database: isolated Connection
    ) throws {
        guard !subjects.isEmpty else { return }
        try database.query(
            """
            WITH rest AS (
                SELECT id, ARRAY(SELECT unnest(subjects) EXCEPT ALL SELECT unnest(\(subjects)) ORDER BY 1) AS subjects
                FROM \(part: table)
                WHERE id = \(job)
            ), ended AS (
                DELETE FROM \(part: table) AS job USING rest WHERE job.id = rest.id AND rest.subjects = '{}'
            )
            UPDATE \(part: table) AS job SET subjects = rest.subjects FROM rest
            WHERE job.id = rest.id AND rest.subjects <> '{}'
            """)
    }

    /// Notifies that lanes have ready jobs. `rows` has the lane's name for each job. Returns the number of jobs.
    private func tellReady(lanesOf rows: Rows, on database: isolated Connection) throws -> Int {
        try tellReady(Set(rows.map { try $0.read("name") }), on: database)
        return rows.count
    }

    func tellReady(_ lanes: Set<String>, on database: isolated Connection) throws {
        for lane in lanes.sorted() { try database.query("SELECT pg_notify(\(Self.readyChannel), \(lane))") }
    }
}
