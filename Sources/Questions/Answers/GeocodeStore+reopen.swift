package import Postgres

extension GeocodeStore {
    /// Makes failed questions wait again, in jobs that a person retries. Returns the questions that it changed.
    /// Questions that were answered meanwhile, or are in another job, stay as they are.
    func reopen(
        _ carriers: [(id: Int, subjects: [Int])], on database: isolated Connection
    ) throws -> Set<Int> {
        guard !carriers.isEmpty else { return [] }
        let waiting: [Int] = try database.query(
            """
            UPDATE geocodes
            SET status = 'waiting', job = carried.job, follows = false, provider = NULL, reason = NULL, confidence = NULL,
                geocoded_at = NULL, expires_at = NULL
            FROM unnest(
                \(carriers.flatMap(\.subjects)), \(carriers.flatMap { job in job.subjects.map { _ in job.id } })
            ) AS carried (subject, job)
            WHERE geocodes.id = carried.subject
              AND (status = 'failed'
                   OR status = 'waiting' AND (geocodes.job IS NULL OR geocodes.job = carried.job))
            RETURNING geocodes.id
            """
        ).map { try $0.read("id") }
        return Set(waiting)
    }

    /// Marks the questions of jobs that a person cancelled as failed. Returns the shadows among them, which are
    /// deleted, by their jobs.
    package func cancel(
        _ carriers: [(id: Int, subjects: [Int])], on database: isolated Connection
    ) throws -> [(job: Int, shadows: [Int])] {
        guard !carriers.isEmpty else { return [] }
        return try database.query(
            """
            WITH cancelled AS (
                UPDATE geocodes
                SET status = 'failed', job = NULL, follows = false, reason = 'cancelled by a person', geocoded_at = now()
                FROM unnest(
                    \(carriers.flatMap(\.subjects)), \(carriers.flatMap { job in job.subjects.map { _ in job.id } })
                ) AS carried (subject, job)
                WHERE geocodes.id = carried.subject AND geocodes.job = carried.job
                RETURNING carried.job, carried.subject, shadow_of
            )
            SELECT job, array_agg(subject) AS shadows FROM cancelled WHERE shadow_of IS NOT NULL GROUP BY job
            """
        ).map { (try $0.read("job"), try $0.read("shadows")) }
    }
}
