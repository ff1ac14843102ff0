package import Geocodes
import Geocoding
package import Postgres

extension Intake {
    /// How many answers ``purge(_:limit:on:)`` would delete in the end.
    package func countPurgeable(_ selection: GeocodeSelection, on database: isolated Connection) throws -> Int {
        // crosses rooms: only the addresses know whether anybody still needs an answer.
        try database.query(
            """
            SELECT count(*) AS count
            FROM geocodes
            WHERE status <> 'waiting' AND pinned_at IS NULL
              AND (\(selection.provider)::text IS NULL OR provider = \(selection.provider))
              AND (\(selection.status?.rawValue)::geocode_status IS NULL
                   OR status = \(selection.status?.rawValue)::geocode_status)
              AND geocoded_at <= now() - \(selection.age)::interval
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            """)[0].read("count")
    }

    /// Deletes answers that no address has any more, but for what a person decided: up to `limit` of them. Returns how
    /// many.
    package func purge(
        _ selection: GeocodeSelection, limit: Int, on database: isolated Connection
    ) throws -> Int {
        // crosses rooms: only the addresses know whether anybody still needs an answer.
        try database.query(
            """
            DELETE FROM geocodes
            WHERE id = ANY (ARRAY(
                SELECT id
                FROM geocodes
                WHERE status <> 'waiting' AND pinned_at IS NULL
                  AND (\(selection.provider)::text IS NULL OR provider = \(selection.provider))
                  AND (\(selection.status?.rawValue)::geocode_status IS NULL
                       OR status = \(selection.status?.rawValue)::geocode_status)
                  AND geocoded_at <= now() - \(selection.age)::interval
                  AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
                ORDER BY id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            ))
            """
        ).affected
    }

    /// How many friends ``purgeDeleted(olderThan:limit:on:)`` would delete in the end.
    package func countDeleted(olderThan age: Duration, on database: isolated Connection) throws -> Int {
        try database.query(
            "SELECT count(*) AS count FROM friends WHERE deleted_at <= now() - \(age)::interval"
        )[0].read("count")
    }

    /// Deletes friends for good who have been gone for `age`, with their addresses and pins: up to `limit` of them. Returns
    /// how many. What providers answered is kept, see ``purge(_:limit:on:)``.
    package func purgeDeleted(olderThan age: Duration, limit: Int, on database: isolated Connection) throws -> Int {
        try database.transaction { database in
            let friends: [Int] = try database.query(
                """
                SELECT id
                FROM friends
                WHERE deleted_at <= now() - \(age)::interval
                ORDER BY deleted_at
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
                """
            ).map { try $0.read("id") }
            guard !friends.isEmpty else { return 0 }
            let hashes = try database.query(
                "DELETE FROM addresses WHERE friend = ANY (\(friends)) RETURNING hash"
            ).compactMap { try $0.readIfPresent("hash", as: Bytes.self).flatMap { AddressHash(bytes: $0.bytes) } }
            _ = try geocodes.dropPins(hashes, on: database)
            return try database.query("DELETE FROM friends WHERE id = ANY (\(friends))").affected
        }
    }
}
