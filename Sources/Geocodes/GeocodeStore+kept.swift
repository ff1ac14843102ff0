package import Geocoding
package import Postgres

/// Which of the answers kept are shown.
package struct StoredAnswerFilter: Sendable {
    package var status: GeocodeStatus?
    package var provider: String?
    package var precision: Precision?
    /// Only those of which it is less likely that they are right.
    package var below: Double?
    /// Only those that are at least so old.
    package var age: Duration?
    /// Only those that expire within this time.
    package var expiresWithin: Duration?

    package init() {}

    /// Of a row of `geocodes`.
    fileprivate var condition: SQL {
        """
        status <> 'waiting'
        AND (\(status?.rawValue)::geocode_status IS NULL OR status = \(status?.rawValue)::geocode_status)
        AND (\(provider)::text IS NULL OR provider = \(provider))
        AND (\(precision?.rawValue)::text IS NULL OR precision = \(precision?.rawValue))
        AND (\(below)::real IS NULL OR confidence < \(below)::real)
        AND (\(age)::interval IS NULL OR geocoded_at <= now() - \(age)::interval)
        AND (\(expiresWithin)::interval IS NULL OR expires_at <= now() + \(expiresWithin)::interval)
        """
    }
}

/// An answer without what it answers: neither the address nor the place, which are somebody's.
package struct StoredAnswer: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let provider: String?
    package let precision: String?
    package let confidence: Double?
    package let isWeak: Bool
    package let isPinned: Bool
    /// It was never asked, because another spelling was known.
    package let isShared: Bool
    /// The provider permits to keep it for a while only.
    package let isLent: Bool
    package let reason: String?
    /// Since 1970.
    package let answeredAt: Duration?
    package let expiresAt: Duration?
}

extension GeocodeStore {
    /// How many rows one call of ``kept(_:before:limit:on:)`` looks at. No index has an order for every filter, and there may be millions.
    package static let keptReach = 20_000

    /// Answers that match, the latest question first, up to `limit` with numbers below `last`; and below which number the next look
    /// begins, nil where this was the last one. There may be more even where this look found none.
    package func kept(
        _ filter: StoredAnswerFilter, before last: Int?, limit: Int, reach: Int = keptReach,
        on database: isolated Connection
    ) throws -> (answers: [StoredAnswer], next: Int?) {
        let rows = try database.query(
            """
            WITH near AS MATERIALIZED (
                SELECT id, status, provider, precision, confidence, is_weak, pinned_at, shared_from, is_lent, reason, geocoded_at,
                       expires_at
                FROM geocodes
                WHERE \(last)::bigint IS NULL OR id < \(last)
                ORDER BY id DESC
                LIMIT \(reach)
            ), found AS (
                SELECT * FROM near
                WHERE \(part: filter.condition)
                ORDER BY id DESC
                LIMIT \(limit)
            )
            SELECT found.id, status::text, provider, precision, confidence::float8 AS confidence, is_weak,
                   pinned_at IS NOT NULL AS is_pinned, shared_from IS NOT NULL AS is_shared, is_lent, reason,
                   extract(epoch FROM geocoded_at) AS answered_at, extract(epoch FROM expires_at) AS expires_at,
                   seen.number, seen.least
            FROM (SELECT count(*) AS number, min(id) AS least FROM near) AS seen
            LEFT JOIN found ON true
            ORDER BY found.id DESC
            """)
        let answers = try rows.compactMap(StoredAnswer.init)
        let seen: Int = try rows[0].read("number")
        // A full page may end before what was looked at does.
        let next = answers.count == limit ? answers.last?.id : seen == reach ? try rows[0].readIfPresent("least") : nil
        return (answers, next)
    }
}

extension StoredAnswer {
    /// Nil for the row that is there where nothing was found.
    fileprivate init?(_ row: Row) throws {
        guard let id: Int = try row.readIfPresent("id") else { return nil }
        self.id = id
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        provider = try row.readIfPresent("provider")
        precision = try row.readIfPresent("precision")
        confidence = try row.readIfPresent("confidence")
        isWeak = try row.read("is_weak")
        isPinned = try row.read("is_pinned")
        isShared = try row.read("is_shared")
        isLent = try row.read("is_lent")
        reason = try row.readIfPresent("reason")
        answeredAt = try row.readIfPresent("answered_at")
        expiresAt = try row.readIfPresent("expires_at")
    }
}
