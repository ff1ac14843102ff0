package import Geocoding
package import Postgres

/// Which answers are meant.
package struct GeocodeSelection: Sendable {
    package var provider: String?
    package var status: GeocodeStatus?
    /// Only those that are at least so old.
    package var age: Duration

    package init(provider: String? = nil, status: GeocodeStatus? = nil, age: Duration = .zero) {
        self.provider = provider
        self.status = status
        self.age = age
    }

    /// Of a row of `geocodes`.
    package var condition: SQL {
        """
        (\(provider)::text IS NULL OR provider = \(provider))
        AND (\(status?.rawValue)::geocode_status IS NULL OR status = \(status?.rawValue)::geocode_status)
        AND geocoded_at <= now() - \(age)::interval
        """
    }
}

/// What of one provider's answers is kept.
package struct CacheStats: Sendable, Equatable {
    package let provider: String
    package let status: GeocodeStatus
    package let answers: Int
    /// Of these, what was never asked because another spelling, or another unit of the house, was known.
    package let shared: Int
    /// Of these, what a person decided.
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

    /// How many answers ``expire(_:on:)`` would change.
    package func countExpirable(_ selection: GeocodeSelection, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT count(*) AS count
            FROM geocodes
            WHERE status NOT IN ('waiting', 'forgotten') AND pinned_at IS NULL
              AND \(part: selection.condition)
            """)[0].read("count")
    }

    /// Lets answers expire now, but for what a person decided. The leading coordinator asks for them again. Returns how
    /// many.
    package func expire(_ selection: GeocodeSelection, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            UPDATE geocodes
            SET expires_at = now()
            WHERE status NOT IN ('waiting', 'forgotten') AND pinned_at IS NULL
              AND \(part: selection.condition)
            """
        ).affected
    }
}
