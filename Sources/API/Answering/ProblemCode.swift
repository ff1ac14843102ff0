/// The member `code` of a problem, for programs. Clients store it: never rename one. docs/api.md lists them.
enum ProblemCode: String, CaseIterable, Sendable {
    case badRequest = "bad_request"
    case invalidParameters = "invalid_parameters"
    case malformedBody = "malformed_body"
    case unauthenticated
    case invalidToken = "invalid_token"
    case forbidden
    case insufficientScope = "insufficient_scope"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case conflict
    case keyReused = "key_reused"
    case keyInProgress = "key_in_progress"
    case importReplaced = "import_replaced"
    case trackingOff = "tracking_off"
    case changesLost = "changes_lost"
    case preconditionFailed = "precondition_failed"
    case bodyTooLong = "body_too_long"
    case headTooLong = "head_too_long"
    case unsupportedType = "unsupported_type"
    case invalidFields = "invalid_fields"
    case outOfRange = "out_of_range"
    case tooManyRequests = "too_many_requests"
    case tooManyStreams = "too_many_streams"
    case internalError = "internal_error"
    case unavailable
    case databaseAway = "database_away"
    case databaseFull = "database_full"
    case tookTooLong = "took_too_long"
    case coordinatorSilent = "coordinator_silent"
    case noLeader = "no_leader"
    case steeringUnavailable = "steering_unavailable"

    /// The default code for a status.
    init(usualFor status: Int) {
        self =
            switch status {
            case 401: .unauthenticated
            case 403: .forbidden
            case 404: .notFound
            case 405: .methodNotAllowed
            case 409: .conflict
            case 410: .changesLost
            case 412: .preconditionFailed
            case 413: .bodyTooLong
            case 414, 431: .headTooLong
            case 415: .unsupportedType
            case 422: .invalidFields
            case 429: .tooManyRequests
            case 500: .internalError
            case 503: .unavailable
            default: .badRequest
            }
    }
}
