import Postgres

/// Selects jobs: one, some, or all that match.
package enum JobSelection: Sendable, Equatable {
    case job(Int)
    case jobs([Int])
    /// All jobs of this lane whose failure reason contains this text; nil matches everything.
    case all(lane: String? = nil, reason: String? = nil)

    var id: Int? { if case .job(let id) = self { id } else { nil } }
    var lane: String? { if case .all(let lane, _) = self { lane } else { nil } }

    /// The condition for a row of `jobs`.
    var ofWaiting: SQL { condition(reason: "history->-1->>'reason'") }

    /// The condition for a row of `dead_jobs`.
    var ofDead: SQL { condition(reason: "reason") }

    /// The condition for a row with the columns `id` and `lane`, and with a reason in the column `column`. A selection
    /// of jobs by id has neither lane nor reason.
    func condition(reason column: SQL) -> SQL {
        switch self {
        case .job(let id): "id = \(id)"
        case .jobs(let ids): "id = ANY (\(ids))"
        case .all(let lane, let reason):
            """
            (\(lane)::text IS NULL OR lane = (SELECT id FROM lanes WHERE name = \(lane)))
            AND (\(reason)::text IS NULL OR position(lower(\(reason)) IN lower(\(part: column))) > 0)
            """
        }
    }
}
