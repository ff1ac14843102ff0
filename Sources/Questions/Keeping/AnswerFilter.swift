package import Geocoding
package import Postgres

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
        AND (\(below)::real IS NULL OR coalesce(\(identifier: row).confidence, 0) < \(below)::real)
        AND (\(age)::interval IS NULL OR \(identifier: row).geocoded_at <= now() - \(age)::interval)
        AND (\(expiresWithin)::interval IS NULL OR \(identifier: row).expires_at <= now() + \(expiresWithin)::interval)
        """
    }

    /// The filter in the details of an act.
    package var words: [String: String] {
        [
            "provider": provider, "precision": precision?.rawValue, "status": status?.rawValue,
            "weak": isWeak ? "true" : nil, "below": below.map { "\($0)" },
            "older": age.flatMap { $0 > .zero ? "\($0 / .seconds(1)) s" : nil },
        ].compactMapValues(\.self)
    }
}
