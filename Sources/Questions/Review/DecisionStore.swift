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
    package func record(_ id: Int, on database: isolated Connection, _ decide: () throws -> Bool) throws -> Bool {
        let before = try database.query(
            "SELECT \(part: Answer.json)::text AS answer FROM geocodes WHERE id = \(id) FOR NO KEY UPDATE"
        ).first.map { try $0.read("answer", as: String.self) }
        guard let before, try decide() else { return false }
        try database.query(
            """
            INSERT INTO decisions (geocode, before, after)
            SELECT id, \(before)::jsonb, \(part: Answer.json)
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
                   AND \(part: Answer.row(of: "geocodes")) IS NOT DISTINCT FROM \(part: Answer.row(of: "became"))
                       AS is_unchanged
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
            SET follows = was.follows, \(part: Answer.assignments(from: "was"))
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
}
