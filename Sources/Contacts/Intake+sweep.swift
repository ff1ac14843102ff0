import Geocodes
import Geocoding
package import Postgres

/// The sweep: each step takes up to `limit`, returns how many it found, and belongs in a transaction of its own.
extension Intake {
    /// Hashes addresses that another program wrote, and asks for those that are new.
    package func hashForeignAddresses(_ limit: Int, on database: isolated Connection) throws -> Int {
        let found = try database.query(
            """
            SELECT id, street, city, region, postcode, country
            FROM addresses
            WHERE hash IS NULL
            ORDER BY id
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
            """
        ).map { row -> (id: Int, hash: AddressHash, address: Address) in
            let address = Address(
                street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
                postcode: try row.read("postcode"), country: try row.read("country"))
            return (try row.read("id"), AddressHash(address), address)
        }
        guard !found.isEmpty else { return 0 }
        _ = try ask(found.map { ($0.hash, $0.address) }, on: database)
        // Behind a subquery the planner can't see how long the arrays are: of thousands of rows it would rather think
        // that reading the whole table is cheaper than to look each up.
        try database.query(
            """
            UPDATE addresses
            SET hash = hashed.hash
            FROM unnest((SELECT \(found.map(\.id))), (SELECT \(found.map { Bytes($0.hash.bytes) }))) AS hashed (id, hash)
            WHERE addresses.id = hashed.id
            """)
        return found.count
    }

    /// Queues questions that wait and are in no job.
    ///
    /// The numbers of the jobs come first, so that the one statement which writes them beside the questions also sees
    /// which still wait.
    package func enqueueWaiting(_ limit: Int, on database: isolated Connection) throws -> Int {
        // crosses rooms: a question must know its job from the moment the job exists, and one statement is one trip.
        try database.query(
            """
            WITH noted AS (
                DELETE FROM unqueued_geocodes
                WHERE ctid = ANY (ARRAY(SELECT ctid FROM unqueued_geocodes LIMIT \(limit)))
                RETURNING geocode
            ), given AS MATERIALIZED (
                SELECT geocode, jobs[1 + (row_number() OVER (ORDER BY geocode) - 1) / batch] AS job
                FROM (SELECT DISTINCT geocode FROM noted) AS noted,
                     reserve_jobs(\(lane), (SELECT count(*) FROM noted)::integer)
            ), queued AS (
                UPDATE geocodes
                SET job = given.job
                FROM given
                WHERE geocodes.id = given.geocode AND geocodes.status = 'waiting' AND geocodes.job IS NULL
                RETURNING id, geocodes.job
            )
            SELECT (SELECT count(*) FROM noted) AS count, queue_reserved_jobs(\(lane), array_agg(job), array_agg(id))
            FROM (SELECT job, id FROM queued ORDER BY id) AS queued
            """)[0].read("count")
    }

    /// Forgets answers whose time is over, and queues their questions again.
    package func askAgainForExpired(_ limit: Int, on database: isolated Connection) throws -> Int {
        // crosses rooms: an answer that is gone while nobody asks for it again would be lost.
        try database.query(
            """
            WITH expired AS MATERIALIZED (
                SELECT id FROM geocodes
                WHERE expires_at <= now() ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ), given AS MATERIALIZED (
                SELECT id, jobs[1 + (row_number() OVER (ORDER BY id) - 1) / batch] AS job
                FROM unnest(ARRAY(SELECT id FROM expired)) AS id,
                     reserve_jobs(\(lane), (SELECT count(*) FROM expired)::integer)
            ), queued AS (
                UPDATE geocodes
                SET status = 'waiting',
                    job = given.job,
                    latitude = NULL,
                    longitude = NULL,
                    precision = NULL,
                    placemark = NULL,
                    provider = NULL,
                    geocoded_at = NULL,
                    expires_at = NULL
                FROM given
                WHERE geocodes.id = given.id
                RETURNING geocodes.id, geocodes.job
            )
            SELECT count(*) AS count, queue_reserved_jobs(\(lane), array_agg(job), array_agg(id))
            FROM (SELECT job, id FROM queued ORDER BY id) AS queued
            """)[0].read("count")
    }
}
