import Access
import HTTP
import Postgres
import Queue

/// Controls the cluster. Each action does the same as the command with its name, and is logged.
extension APIServer {
    var adminRoutes: [APIRoute] {
        [
            APIRoute(.post, "/v1/lanes", .admin, addLane),
            APIRoute(.patch, "/v1/lanes/{name}", .admin, changeLane),
            APIRoute(.put, "/v1/lanes/{name}/limits", .admin, limitLane),
            APIRoute(.post, "/v1/lanes/{name}/pause", .admin, pauseLane),
            APIRoute(.post, "/v1/lanes/{name}/resume", .admin, resumeLane),
            APIRoute(.get, "/v1/lanes/{name}/audit", .admin, auditLane),
            APIRoute(.get, "/v1/workers", .admin, workers),
            APIRoute(.post, "/v1/workers/{id}/quiet", .admin, quietWorker),
            APIRoute(.post, "/v1/workers/{id}/resume", .admin, resumeWorker),
            APIRoute(.get, "/v1/jobs", .admin, jobs),
            APIRoute(.get, "/v1/jobs/finished", .admin, finishedJobs),
            APIRoute(.get, "/v1/jobs/{id}", .admin, job),
            APIRoute(.post, "/v1/jobs/{id}/hurry", .admin, hurryJob),
            APIRoute(.post, "/v1/jobs/{id}/retry", .admin, isRemembered: false, retryJob),
            APIRoute(.post, "/v1/jobs/{id}/cancel", .admin, isRemembered: false, cancelJob),
            APIRoute(.post, "/v1/jobs/{id}/discard", .admin, isRemembered: false, discardJob),
            APIRoute(.post, "/v1/jobs/retry", .admin, isRemembered: false, retryJobs),
            APIRoute(.post, "/v1/jobs/cancel", .admin, isRemembered: false, cancelJobs),
            APIRoute(.post, "/v1/jobs/discard", .admin, isRemembered: false, discardJobs),
            APIRoute(.get, "/v1/chains", .admin, chains),
            APIRoute(.get, "/v1/chains/{name}", .admin, chain),
            APIRoute(.put, "/v1/chains/{name}", .admin, isConditional: true, setChain),
            APIRoute(.post, "/v1/chains/{name}/use", .admin, useChain),
            APIRoute(.get, "/v1/chains/{name}/report", .admin, chainReport),
            APIRoute(.get, "/v1/cache", .admin, cache),
            APIRoute(.get, "/v1/cache/answers", .admin, keptAnswers),
            APIRoute(.post, "/v1/cache/expire", .admin, isRemembered: false, expireAnswers),
            APIRoute(.post, "/v1/cache/purge", .admin, isRemembered: false, purgeAnswers),
            APIRoute(.get, "/v1/tokens", .admin, tokens),
            APIRoute(.post, "/v1/tokens", .admin, isRemembered: false, createToken),
            APIRoute(.delete, "/v1/tokens/{id}", .admin, revokeToken),
            APIRoute(.get, "/v1/settings", .admin, settings),
            APIRoute(.post, "/v1/rematch", .admin, isRemembered: false, rematch),
            APIRoute(.get, "/v1/doctor", .admin, doctor),
            APIRoute(.get, "/v1/review", .admin, review),
            APIRoute(.get, "/v1/review/{id}", .admin, question),
            APIRoute(.post, "/v1/review/{id}/accept", .admin, acceptCandidate),
            APIRoute(.post, "/v1/review/{id}/reject", .admin, rejectCandidates),
            APIRoute(.post, "/v1/review/{id}/pin", .admin, pinQuestion),
            APIRoute(.post, "/v1/review/{id}/undo", .admin, undoDecision),
            APIRoute(.get, "/v1/log", .admin, log),
        ]
    }
}

extension RequestError {
    static let onlyShows = RequestError(
        status: 503,
        detail: "This server can't steer the cluster: its login may not take the role waypost_admin.",
        monicaCode: 40, headers: ["Retry-After": "60"], reason: .steeringUnavailable)

    /// The HTTP error for an error of the queue.
    init(_ error: QueueError) {
        switch error.cause {
        case .noSuchLane, .noSuchWorker: self = .notFound
        case .laneExists: self = .conflict(error.description)
        case .contradiction, .other:
            self = RequestError(status: 422, detail: error.description.asSentence, monicaCode: 32)
        }
    }

    /// The state of the resource does not allow the action.
    static func conflict(_ description: String) -> Self {
        RequestError(status: 409, detail: description.asSentence, monicaCode: 41)
    }
}

extension DatabaseError {
    /// The role for the session does not exist, or the login may not use it.
    var isOfMissingRole: Bool { statement?.hasPrefix("SET ROLE ") == true }
}

extension String {
    /// With a capital at the beginning and a full stop at the end.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
