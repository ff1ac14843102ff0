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

    /// The target in the log: the id of one job; empty for many.
    var target: String { id.map { "\($0)" } ?? "" }

    /// The details in the log: the selection of jobs, and how many they were.
    func words(of count: Int) -> [String: String] {
        switch self {
        case .job: [:]
        case .jobs(let ids): ["jobs": "\(count)", "ids": ids.map { "\($0)" }.joined(separator: ", ")]
        case .all(let lane, let reason):
            ["jobs": "\(count)", "lane": lane, "reason": reason].compactMapValues(\.self)
        }
    }
}
