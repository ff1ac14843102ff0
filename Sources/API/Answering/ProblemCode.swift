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
}

/// The title of a status, and the codes of its errors if they have no others.
struct ErrorStatus {
    let title: String
    let code: ProblemCode
    let monicaCode: Int

    init(_ status: Int) { (title, code, monicaCode) = Self.all[status] ?? ("Refused", .badRequest, 0) }

    private static let all: [Int: (String, ProblemCode, monicaCode: Int)] = [
        400: ("Bad Request", .badRequest, 37),
        401: ("Unauthorized", .unauthenticated, 42),
        403: ("Forbidden", .forbidden, 42),
        404: ("Not Found", .notFound, 31),
        405: ("Method Not Allowed", .methodNotAllowed, 0),
        408: ("Request Timeout", .badRequest, 0),
        409: ("Conflict", .conflict, 41),
        410: ("Gone", .changesLost, 31),
        412: ("Precondition Failed", .preconditionFailed, 41),
        413: ("Content Too Large", .bodyTooLong, 37),
        414: ("URI Too Long", .headTooLong, 0),
        415: ("Unsupported Media Type", .unsupportedType, 37),
        422: ("Unprocessable Content", .invalidFields, 32),
        429: ("Too Many Requests", .tooManyRequests, 34),
        431: ("Request Header Fields Too Large", .headTooLong, 0),
        500: ("Internal Server Error", .internalError, 40),
        503: ("Service Unavailable", .unavailable, 40),
        505: ("HTTP Version Not Supported", .badRequest, 0),
    ]
}
