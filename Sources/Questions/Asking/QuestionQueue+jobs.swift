package import Postgres
package import Queue

/// Operations of a person on jobs and their questions. Large numbers are handled in pieces. The log contains one act
/// with the total number, written with the first piece.
extension QuestionQueue {
    package struct Retried: Sendable {
        package var revived = 0
        /// Dead jobs whose questions were all answered meanwhile.
        package var obsolete = 0
        package var hastened = 0
    }

    private static let piece = 1_000

    /// Queues dead jobs again, and makes waiting ones ready now.
    package func retry(
        _ selection: JobSelection, by author: Author, on database: some DatabaseAccess
    ) async throws -> Retried {
        var retried = Retried()
        retried.hastened = try await database.transaction(within: nil) { [jobs] db in
            let count = try jobs.count(selection, on: db)
            // A single job that is ready already is not logged, because nothing visible changes.
            try jobs.log(.retryJobs, selection, count.dead + count.delayed, by: author, on: db)
            return try jobs.hasten(selection, on: db)
        }
        while true {
            let (taken, revived) = try await database.transaction(within: nil) { [jobs, geocodes] db in
                let dead = try jobs.lockDead(selection, limit: Self.piece, on: db)
                let open = try geocodes.reopen(dead.ofQuestions, on: db)
                let revived = try jobs.revive(dead.ofQuestions, carrying: open, on: db)
                let uploads = try jobs.revive(dead.uploads, carrying: Set(dead.uploads.flatMap(\.subjects)), on: db)
                return (dead.ofQuestions.count + dead.uploads.count, revived + uploads)
            }
            if taken == 0 { return retried }
            retried.revived += revived
            retried.obsolete += taken - revived
        }
    }

    /// Cancels waiting jobs: their questions become failed. Returns how many.
    package func cancel(
        _ selection: JobSelection, by author: Author, on database: some DatabaseAccess
    ) async throws -> Int {
        try await database.inPieces(of: Self.piece) { [jobs, geocodes] db, cancelled in
            if cancelled == 0 {
                try jobs.log(.cancelJobs, selection, jobs.count(selection, on: db).waiting, by: author, on: db)
            }
            let removed = try jobs.cancel(selection, limit: Self.piece, on: db)
            // A shadow leaves nothing to retry.
            for job in try geocodes.cancel(removed, on: db) {
                try jobs.remove(job.subjects, fromDead: job.id, on: db)
            }
            return removed.count
        }
    }
}

extension QuestionQueue {
    /// Queues up to `limit` waiting questions without a job, each in the lane of its link. Returns how many it found. The
    /// leading coordinator calls it, in a transaction of its own.
    ///
    /// Each batch gets its job's id first, so that the one statement that writes jobs and questions also sees which
    /// questions still wait.
    package func enqueueWaiting(_ limit: Int, on database: isolated Connection) throws -> Int {
        // The questions that it releases are noted, and queued right away.
        _ = try geocodes.releaseLonely(limit, on: database)
        // crosses rooms: a question must have its job's id from the moment the job exists, and one statement is one
        // round trip.
        let rows = try database.query(
            """
            WITH noted AS (
                DELETE FROM unqueued_geocodes
                WHERE ctid = ANY (ARRAY(SELECT ctid FROM unqueued_geocodes LIMIT \(limit)))
                RETURNING geocode
            ), numbered AS (
                SELECT geocode, lane, row_number() OVER (PARTITION BY lane ORDER BY geocode) - 1 AS number
                FROM (
                    SELECT DISTINCT geocode, plan->'links'->link->>'lane' AS lane
                    FROM noted
                    JOIN geocodes ON geocodes.id = geocode
                    JOIN chains ON chains.id = chain
                ) AS placed
            ), batches AS MATERIALIZED (
                SELECT lane, array_agg(geocode) AS geocodes, nextval('jobs_id_seq') AS job
                FROM numbered
                JOIN lanes ON lanes.name = lane
                GROUP BY lane, number / batch
            ), given AS MATERIALIZED (
                SELECT lane, job, unnest(geocodes) AS geocode FROM batches
            ), queued AS (
                UPDATE geocodes
                SET job = given.job
                FROM given
                WHERE geocodes.id = given.geocode AND geocodes.status = 'waiting' AND geocodes.job IS NULL AND NOT follows
                RETURNING id, geocodes.job, given.lane
            )
            SELECT (SELECT count(*) FROM noted) AS count, queue_reserved_jobs(lane, array_agg(job), array_agg(id))
            FROM (SELECT lane, job, id FROM queued ORDER BY lane, id) AS queued
            GROUP BY lane
            UNION ALL
            SELECT (SELECT count(*) FROM noted), NULL
            """)
        return try rows[0].read("count")
    }
}
