import Formats
import Geocodes
import Geocoding
package import Postgres

/// The sweep: each step takes up to `limit`, returns how many it found, and belongs in a transaction of its own.
extension Intake {
    /// Hashes addresses that another program wrote, and asks for those that are new. Addresses of friends who are gone are
    /// left until they are back.
    package func hashForeignAddresses(_ limit: Int, on database: isolated Connection) throws -> Int {
        let found = try database.query(
            """
            SELECT addresses.id, street, city, region, postcode, country, account, chain, has_pins
            FROM addresses
            JOIN friends ON friends.id = friend
            JOIN accounts ON accounts.id = account
            WHERE hash IS NULL AND deleted_at IS NULL
            ORDER BY addresses.id
            LIMIT \(limit)
            FOR UPDATE OF addresses SKIP LOCKED
            """
        ).map(ForeignAddress.init)
        guard !found.isEmpty else { return 0 }
        var hashed: [(id: Int, address: HashedAddress)] = []
        for (_, found) in Dictionary(grouping: found, by: \.owner.account).sorted(by: { $0.key < $1.key }) {
            var addresses = found.map(\.address)
            try pin(&addresses, of: found[0].owner, on: database)
            _ = try ask(addresses, for: found[0].owner, on: database)
            hashed += zip(found.map(\.id), addresses).map { ($0, $1) }
        }
        try fill(hashed, on: database)
        return found.count
    }

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

    /// Forgets answers whose time is over; ``enqueueWaiting(_:on:)`` queues those that are to be asked for again.
    package func expire(_ limit: Int, on database: isolated Connection) throws -> Int {
        try geocodes.expire(limit, on: database)
    }
}

/// An address that another program wrote.
private struct ForeignAddress {
    let id: Int
    let address: HashedAddress
    let owner: Owner

    init(_ row: Row) throws {
        id = try row.read("id")
        address = HashedAddress(
            LabelledAddress(
                label: "",
                address: try Address(row)))
        owner = Owner(account: try row.read("account"), chain: try row.read("chain"), hasPins: try row.read("has_pins"))
    }
}
