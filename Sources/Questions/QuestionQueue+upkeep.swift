import Geocodes
package import Postgres

/// What the leading coordinator does now and then: each step takes up to `limit`, returns how many it found, and belongs
/// in a transaction of its own.
extension QuestionQueue {
    /// Queues questions that wait and are in no job, each in the lane of its link.
    ///
    /// Each batch gets its job's number first, so that the one statement which writes them beside the questions also
    /// sees which still wait.
    package func enqueueWaiting(_ limit: Int, on database: isolated Connection) throws -> Int {
        // What it releases is noted, and queued right away.
        _ = try geocodes.releaseLonely(limit, on: database)
        // crosses rooms: a question must know its job from the moment the job exists, and one statement is one trip.
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

    /// Expires answers whose time is over; ``enqueueWaiting(_:on:)`` queues those that are to be asked for again.
    package func expire(_ limit: Int, on database: isolated Connection) throws -> Int {
        try geocodes.expire(limit, on: database)
    }
}
