package import Geocoding
package import Postgres

/// The numbers of answers.
package struct GeocodeCounts: Sendable, Equatable {
    package var byStatus: [GeocodeStatus: Int] = [:]
    package var byPrecision: [Precision: Int] = [:]
    /// Located questions whose answers are weak: coarser than the question.
    package var weak = 0

    package var total: Int { byStatus.values.reduce(0, +) }
    package var waiting: Int { byStatus[.waiting, default: 0] }
    package var located: Int { byStatus[.located, default: 0] }
    package var notFound: Int { byStatus[.notFound, default: 0] }
    package var failed: Int { byStatus[.failed, default: 0] }
}

extension GeocodeStore {
    /// Counts all questions; or only those of friends' present addresses, without coordinates, single questions and
    /// former addresses.
    package func counts(
        ofAddresses areAsked: Bool = false, on database: isolated Connection
    ) throws -> GeocodeCounts {
        var counts = GeocodeCounts()
        // crosses rooms: only `addresses` shows if a question still belongs to a friend.
        let rows = try database.query(
            """
            SELECT status, precision, is_weak, count(*) AS count
            FROM geocodes
            WHERE shadow_of IS NULL
              AND (NOT \(areAsked)::boolean
                   OR EXISTS (
                       SELECT FROM addresses JOIN friends ON friends.id = addresses.friend
                       WHERE addresses.hash = geocodes.hash AND friends.deleted_at IS NULL))
            GROUP BY 1, 2, 3
            """)
        for row in rows {
            let count: Int = try row.read("count")
            if try row.read("is_weak") { counts.weak += count }
            if let status = try GeocodeStatus(rawValue: row.read("status")) {
                counts.byStatus[status, default: 0] += count
            }
            if let precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:)) {
                counts.byPrecision[precision, default: 0] += count
            }
        }
        return counts
    }
}

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
}
