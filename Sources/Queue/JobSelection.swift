/// Which of the jobs a person means: one, or all that match.
package enum JobSelection: Sendable, Equatable {
    case job(Int)
    /// In this lane, and failed with this text in the reason; nil means any.
    case all(lane: String? = nil, reason: String? = nil)

    var id: Int? { if case .job(let id) = self { id } else { nil } }
    var lane: String? { if case .all(let lane, _) = self { lane } else { nil } }
    var reason: String? { if case .all(_, let reason) = self { reason } else { nil } }
}
