package import Postgres

/// Regular work of the leading coordinator. Each step handles up to `limit` rows, returns how many it found, and needs
/// a transaction of its own.
extension QuestionQueue {
    /// Queues waiting questions without a job, each in the lane of its link.
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

    /// Expires answers whose time is over. ``enqueueWaiting(_:on:)`` queues those that are asked again.
    package func expire(_ limit: Int, on database: isolated Connection) throws -> Int {
        try geocodes.expire(limit, on: database)
    }
}
