package import Geocoding
package import Postgres

/// An answer without the address and the place, which are private.
package struct StoredAnswer: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let provider: String?
    package let precision: String?
    package let confidence: Double?
    package let isWeak: Bool
    package let isPinned: Bool
    /// It took the answer of another spelling, without a call.
    package let isShared: Bool
    /// The provider permits to keep it for a limited time only.
    package let isLent: Bool
    package let reason: String?
    /// Since 1970.
    package let answeredAt: Duration?
    package let expiresAt: Duration?
}

extension GeocodeStore {
    /// The most rows that one call of ``kept(_:before:limit:on:)`` reads. No index has an order for every filter, and
    /// there may be millions of rows.
    static let keptReach = 20_000

    /// Returns up to `limit` matching answers with ids below `last`, the latest question first. `next` is the id below
    /// which the next call begins; nil if this was the last page. There may be more answers even if this call found
    /// none.
    package func kept(
        _ filter: AnswerFilter, before last: Int?, limit: Int, reach: Int = keptReach,
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
                WHERE \(part: filter.condition(of: "near"))
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
        // A full page may end before the last row that was read.
        let next = answers.count == limit ? answers.last?.id : seen == reach ? try rows[0].readIfPresent("least") : nil
        return (answers, next)
    }
}

extension StoredAnswer {
    /// Returns nil for the row that stands for an empty result.
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
