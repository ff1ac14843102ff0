package import Geocoding
package import Postgres

/// The number of stored answers of one provider and status.
package struct CacheStats: Sendable, Equatable {
    package let provider: String
    package let status: GeocodeStatus
    package let answers: Int
    /// Answers copied from another spelling, or from another unit of the house, without a call.
    package let shared: Int
    /// Answers that a person decided.
    package let pinned: Int
    package let expiring: Int
    package let oldest: Duration?
}

extension GeocodeStore {
    package func cacheStats(on database: isolated Connection) throws -> [CacheStats] {
        try database.query(
            """
            SELECT coalesce(provider, '') AS provider, status, count(*) AS answers, count(shared_from) AS shared,
                   count(pinned_at) AS pinned, count(expires_at) AS expiring,
                   extract(epoch FROM now() - min(geocoded_at)) AS oldest
            FROM geocodes
            WHERE status <> 'waiting'
            GROUP BY 1, 2
            ORDER BY 1, 2
            """
        ).map { row in
            try CacheStats(
                provider: row.read("provider"), status: GeocodeStatus(rawValue: row.read("status")) ?? .waiting,
                answers: row.read("answers"), shared: row.read("shared"), pinned: row.read("pinned"),
                expiring: row.read("expiring"), oldest: row.readIfPresent("oldest"))
        }
    }

    /// Counts the answers that ``expire(_:on:)`` would change.
    package func countExpirable(_ selection: AnswerFilter, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT count(*) AS count
            FROM geocodes
            WHERE status <> 'forgotten' AND pinned_at IS NULL AND \(part: selection.condition())
            """)[0].read("count")
    }

    /// Makes answers expire now, except those that a person decided. The leading coordinator asks them again. Returns
    /// how many.
    package func expire(_ selection: AnswerFilter, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            UPDATE geocodes
            SET expires_at = now()
            WHERE status <> 'forgotten' AND pinned_at IS NULL AND \(part: selection.condition())
            """
        ).affected
    }
}
