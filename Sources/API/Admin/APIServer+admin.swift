import Access
import HTTP
import Postgres
import Queue

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
