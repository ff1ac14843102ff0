package import Geocodes
package import Postgres

extension QuestionQueue {
    /// How many answers ``purge(_:limit:on:)`` would delete in the end.
    package func countPurgeable(_ selection: GeocodeSelection, on database: isolated Connection) throws -> Int {
        // crosses rooms: only the addresses know whether an answer is still needed.
        try database.query(
            """
            SELECT count(*) AS count
            FROM geocodes
            WHERE status <> 'waiting' AND pinned_at IS NULL
              AND \(part: selection.condition)
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            """)[0].read("count")
    }

    /// Deletes up to `limit` answers that no address uses any more, except what a person decided. Returns how many.
    package func purge(
        _ selection: GeocodeSelection, limit: Int, on database: isolated Connection
    ) throws -> Int {
        // crosses rooms: only the addresses know whether an answer is still needed.
        try database.query(
            """
            DELETE FROM geocodes
            WHERE id = ANY (ARRAY(
                SELECT id
                FROM geocodes
                WHERE status <> 'waiting' AND pinned_at IS NULL
                  AND \(part: selection.condition)
                  AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
                ORDER BY id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            ))
            """
        ).affected
    }
}
