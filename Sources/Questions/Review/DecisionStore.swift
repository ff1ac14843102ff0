package import Postgres

/// The table `decisions`: a person's decision on a question, and its former answer.
package struct DecisionStore: Sendable {
    /// How long a decision can be undone.
    package static let retention: Duration = .seconds(30 * 86_400)

    /// The result of undoing a decision.
    package enum Undoing: Sendable, Equatable {
        /// The question has its former state again.
        case undone
        /// No decision was found, or it is too old.
        case nothingDecided
        /// The question has a new answer since the decision.
        case changedSince
    }

    package init() {}

    /// Runs a person's decision on a question, and stores the former answer. Returns false if `decide` changes nothing.
    package func keep(_ id: Int, on database: isolated Connection, _ decide: () throws -> Bool) throws -> Bool {
        let before = try database.query(
            "SELECT \(part: Self.answer)::text AS answer FROM geocodes WHERE id = \(id) FOR NO KEY UPDATE"
        ).first.map { try $0.read("answer", as: String.self) }
        guard let before, try decide() else { return false }
        try database.query(
            """
            INSERT INTO decisions (geocode, before, after)
            SELECT id, \(before)::jsonb, \(part: Self.answer)
            FROM geocodes
            WHERE id = \(id)
            """)
        return true
    }

    /// Undoes the last decision on a question, unless the answer was changed since then. If the question waited before,
    /// it waits again, and the sweep queues it.
    package func undo(_ id: Int, on database: isolated Connection) throws -> Undoing {
        let last = try database.query(
            """
            SELECT decisions.id,
                   geocodes.job IS NULL
                   AND (geocodes.status, geocodes.latitude, geocodes.longitude, geocodes.provider, geocodes.geocoded_at,
                        geocodes.pinned_at, geocodes.expires_at) IS NOT DISTINCT FROM
                       (became.status, became.latitude, became.longitude, became.provider, became.geocoded_at,
                        became.pinned_at, became.expires_at) AS is_unchanged
            FROM geocodes
            JOIN decisions ON decisions.geocode = geocodes.id,
            jsonb_populate_record(NULL::geocodes, after) AS became
            WHERE geocodes.id = \(id) AND decided_at > now() - \(Self.retention)::interval
            ORDER BY decisions.id DESC
            LIMIT 1
            FOR NO KEY UPDATE OF geocodes
            """
        ).first
        guard let last else { return .nothingDecided }
        guard try last.read("is_unchanged") else { return .changedSince }
        let decision: Int = try last.read("id")
        try database.query(
            """
            UPDATE geocodes
            SET status = was.status, latitude = was.latitude, longitude = was.longitude, precision = was.precision,
                placemark = was.placemark, provider = was.provider, step = was.step, confidence = was.confidence,
                is_weak = was.is_weak, candidates = was.candidates, reason = was.reason, expires_at = was.expires_at,
                is_lent = was.is_lent, shared_from = was.shared_from, pinned_at = was.pinned_at,
                geocoded_at = was.geocoded_at, follows = was.follows
            FROM decisions, jsonb_populate_record(NULL::geocodes, before) AS was
            WHERE decisions.id = \(decision) AND geocodes.id = \(id)
            """)
        try database.query("DELETE FROM decisions WHERE id = \(decision)")
        return .undone
    }

    /// Deletes up to `limit` decisions that can no longer be undone, or whose answers may no longer be kept. Returns
    /// how many.
    package func forget(limit: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            DELETE FROM decisions
            WHERE id = ANY (ARRAY(
                SELECT id
                FROM decisions
                WHERE decided_at <= now() - \(Self.retention)::interval
                   OR (before ->> 'expires_at')::timestamptz <= now()
                   OR (after ->> 'expires_at')::timestamptz <= now()
                LIMIT \(limit)))
            """
        ).affected
    }

    /// The columns of `geocodes` that a decision writes.
    private static let answer: SQL = """
        jsonb_build_object(
            'status', status, 'latitude', latitude, 'longitude', longitude, 'precision', precision, 'placemark', placemark,
            'provider', provider, 'step', step, 'confidence', confidence, 'is_weak', is_weak, 'candidates', candidates,
            'reason', reason, 'expires_at', expires_at, 'is_lent', is_lent, 'shared_from', shared_from,
            'pinned_at', pinned_at, 'geocoded_at', geocoded_at, 'follows', follows)
        """
}
