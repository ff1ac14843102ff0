package import Geocoding
package import Postgres
import Queue

/// Selects stored answers: to show them, ask them again, or let them expire. A nil or false member permits all.
package struct AnswerFilter: Hashable, Sendable {
    package var provider: String?
    package var status: GeocodeStatus?
    package var precision: Precision?
    /// Only answers that are coarser than the question.
    package var isWeak: Bool
    /// Only answers with less confidence than this. A missing confidence counts as 0.
    package var below: Double?
    /// Only answers that are at least this old.
    package var age: Duration?
    /// Only answers that expire within this time.
    package var expiresWithin: Duration?

    package init(
        provider: String? = nil, status: GeocodeStatus? = nil, precision: Precision? = nil, isWeak: Bool = false,
        below: Double? = nil, age: Duration? = nil, expiresWithin: Duration? = nil
    ) {
        (self.provider, self.status, self.precision, self.isWeak) = (provider, status, precision, isWeak)
        (self.below, self.age, self.expiresWithin) = (below, age, expiresWithin)
    }

    /// The condition for a row of `geocodes`, or of a part of it with this name.
    package func condition(of row: String = "geocodes") -> SQL {
        """
        \(identifier: row).status <> 'waiting'
        AND (\(provider)::text IS NULL OR \(identifier: row).provider = \(provider))
        AND (\(status?.rawValue)::geocode_status IS NULL OR \(identifier: row).status = \(status?.rawValue)::geocode_status)
        AND (\(precision?.rawValue)::text IS NULL OR \(identifier: row).precision = \(precision?.rawValue))
        AND (NOT \(isWeak)::boolean OR \(identifier: row).is_weak)
        AND (\(below?.asReal)::real IS NULL OR coalesce(\(part: Place.confidence(of: row)), 0) < \(below?.asReal)::real)
        AND (\(age)::interval IS NULL OR \(identifier: row).geocoded_at <= now() - \(age)::interval)
        AND (\(expiresWithin)::interval IS NULL OR \(identifier: row).expires_at <= now() + \(expiresWithin)::interval)
        """
    }

    /// The columns that ``condition(of:)`` reads, and other facts, but neither the point nor its names.
    package static let columns = Answer.facts

    /// The filter in the details of an act.
    package var words: [String: String] {
        [
            "provider": provider, "precision": precision?.rawValue, "status": status?.rawValue,
            "weak": isWeak ? "true" : nil, "below": below.map { "\($0)" },
            "older": age.flatMap { $0 > .zero ? $0.logged : nil },
        ].compactMapValues(\.self)
    }
}

/// An answer without the address and the place, which are private.
package struct StoredAnswer: Identifiable, Sendable {
    package let id: Int
    package let status: GeocodeStatus
    package let provider: String?
    package let precision: Precision?
    package let areaConfidence: Double?
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
    /// The most rows that one call of ``answers(matching:before:limit:reach:on:)`` reads. No index has an order for every filter, and
    /// there may be millions of rows.
    static let reach = 20_000

    /// Returns up to `limit` matching answers with ids below `last`, the latest question first. `next` is the id below
    /// which the next call begins; nil if this was the last page. There may be more answers even if this call found
    /// none.
    package func answers(
        matching filter: AnswerFilter, before last: Int?, limit: Int, reach: Int = reach,
        on database: isolated Connection
    ) throws -> (answers: [StoredAnswer], next: Int?) {
        let rows = try database.query(
            """
            WITH near AS MATERIALIZED (
                SELECT id, pinned_at, \(part: Answer.facts)
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
    /// The probability that its point is the one asked for; nil without a point.
    package var confidence: Double? {
        areaConfidence.flatMap { precision?.confidence(area: $0, isWeak: isWeak) }
    }

    /// Returns nil for the row that stands for an empty result.
    fileprivate init?(_ row: Row) throws {
        guard let id: Int = try row.readIfPresent("id") else { return nil }
        self.id = id
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        provider = try row.readIfPresent("provider")
        precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:))
        areaConfidence = try row.readIfPresent("confidence")
        isWeak = try row.read("is_weak")
        isPinned = try row.read("is_pinned")
        isShared = try row.read("is_shared")
        isLent = try row.read("is_lent")
        reason = try row.readIfPresent("reason")
        answeredAt = try row.readIfPresent("answered_at")
        expiresAt = try row.readIfPresent("expires_at")
    }
}
