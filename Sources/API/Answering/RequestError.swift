package import HTTP
import JSON

/// The error of a request: one clear sentence without data of a contact.
struct RequestError: Error, Equatable {
    /// An invalid part of a request.
    struct Mistake: Error, Equatable {
        /// A member of the body, or a query parameter.
        let field: String
        let detail: String
    }

    var status: Int
    var detail: String
    /// Monica's error code: https://www.monicahq.com/api/overview
    var monicaCode: Int
    var mistakes: [Mistake] = []
    var headers: HTTPHeaders = [:]
    /// Nil means the default code for the status.
    var reason: ProblemCode?

    var code: ProblemCode { reason ?? ProblemCode(usualFor: status) }

    /// The detail and all mistakes, for a person.
    var everything: String { ([detail] + mistakes.map { "\($0.field) \($0.detail)." }).joined(separator: " ") }
}

extension RequestError {
    static let notFound = RequestError(status: 404, detail: "The resource has not been found.", monicaCode: 31)

    static func malformed(_ detail: String) -> Self {
        RequestError(status: 400, detail: detail, monicaCode: 37, reason: .malformedBody)
    }

    static func invalid(parameters: [Mistake]) -> Self {
        RequestError(
            status: 400, detail: "The request has parameters that can't be used.", monicaCode: 41, mistakes: parameters,
            reason: .invalidParameters)
    }

    static func invalid(fields: [Mistake]) -> Self {
        RequestError(status: 422, detail: "The body has members that can't be used.", monicaCode: 32, mistakes: fields)
    }

    static func offEarth(_ mistakes: [Mistake]) -> Self {
        RequestError(
            status: 422, detail: "The request has coordinates that are not on Earth.", monicaCode: 32,
            mistakes: mistakes, reason: .outOfRange)
    }

    static func unauthenticated(
        _ detail: String, challenge: String = "Bearer", reason: ProblemCode? = nil
    ) -> Self {
        RequestError(
            status: 401, detail: detail, monicaCode: 42, headers: ["WWW-Authenticate": challenge], reason: reason)
    }

    static func forbidden(_ detail: String, headers: HTTPHeaders = [:], reason: ProblemCode? = nil) -> Self {
        RequestError(status: 403, detail: detail, monicaCode: 42, headers: headers, reason: reason)
    }

    static func tooLong(limit: Int) -> Self {
        RequestError(
            status: 413, detail: "The body is longer than the \(limit) bytes that are read here.", monicaCode: 37)
    }

    static let unknownCoding = RequestError(
        status: 415, detail: "The body's Content-Encoding is not known; send it as gzip or as it is.", monicaCode: 37,
        headers: ["Accept-Encoding": "gzip"])

    static let notGzip = malformed("The Content-Encoding is gzip, but the body is not gzip, or ends too soon.")

    static let databaseIsAway = RequestError(
        status: 503, detail: "The database is away for a moment; try again soon.", monicaCode: 40,
        headers: ["Retry-After": "5"], reason: .databaseAway)

    static func tookTooLong(limit: Duration) -> Self {
        RequestError(
            status: 503,
            detail: "The database needs more than \(Int(limit / .seconds(1))) s for this; ask for less at once.",
            monicaCode: 40, headers: ["Retry-After": "60"], reason: .tookTooLong)
    }

    static let unheard = RequestError(
        status: 503,
        detail: "The cluster has not received a heartbeat of this coordinator recently; the reason is in its log.",
        monicaCode: 40,
        headers: ["Retry-After": "5"], reason: .coordinatorSilent)

    static let leaderless = RequestError(
        status: 503, detail: "No coordinator leads: requests are stored, but not processed.", monicaCode: 40,
        headers: ["Retry-After": "5"], reason: .noLeader)

    static let databaseLacksSomething = RequestError(
        status: 503, detail: "The database is short of disk space or memory; an operator must act.",
        monicaCode: 40, headers: ["Retry-After": "60"], reason: .databaseFull)

    static func failed(id: String) -> Self {
        RequestError(
            status: 500, detail: "Internal error. The log has the reason under the number \(id).",
            monicaCode: 40)
    }
}

extension APIServer {
    /// The error response of the HTTP server if no route matches, in the same form as our own errors.
    package static let errorResponse: HTTPServer.ErrorResponse = { status, sentence, _, _ in
        ErrorForm.problem.response(RequestError(status: status, detail: sentence, monicaCode: 0))
    }
}

extension Optional {
    /// The value, or the error if there is none.
    func orThrow(_ error: RequestError) throws -> Wrapped {
        guard let self else { throw error }
        return self
    }
}

/// The error formats that our clients expect.
enum ErrorForm: Sendable {
    /// `{"error": {"message": …, "error_code": …}}`; the message is a list if fields are invalid.
    case contacts
    /// https://www.rfc-editor.org/rfc/rfc9457
    case problem

    func response(_ error: RequestError) -> ServerResponse {
        var response = ServerResponse(status: error.status, headers: error.headers)
        response.headers["Content-Type"] = "application/json"
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        switch self {
        case .contacts: response.body = .bytes(contacts(error))
        case .problem:
            response.headers["Content-Type"] = "application/problem+json"
            response.body = .bytes(problem(error))
        }
        return response
    }

    private func contacts(_ error: RequestError) -> [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                json.object("error") { json in
                    if error.mistakes.isEmpty {
                        json.member("message", error.detail)
                    } else {
                        json.list("message", error.mistakes) { $0.value("\($1.field): \($1.detail)") }
                    }
                    json.member("error_code", error.monicaCode)
                }
            }
        }
    }

    private func problem(_ error: RequestError) -> [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                json.member("title", title(of: error.status))
                json.member("status", error.status)
                json.member("code", error.code.rawValue)
                json.member("detail", error.detail)
                guard !error.mistakes.isEmpty else { return }
                json.list("errors", error.mistakes) { json, mistake in
                    json.object { json in
                        json.member("field", mistake.field)
                        json.member("detail", mistake.detail)
                    }
                }
            }
        }
    }

    private func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Refused"
        }
    }
}
