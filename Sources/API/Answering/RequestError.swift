package import HTTP
import JSON
import Postgres
import Queue

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
    var code: ProblemCode
    var mistakes: [Mistake] = []
    var headers: HTTPHeaders = [:]

    /// Without codes, it has those of the status.
    init(
        status: Int, detail: String, monicaCode: Int? = nil, mistakes: [Mistake] = [], headers: HTTPHeaders = [:],
        reason: ProblemCode? = nil
    ) {
        (self.status, self.detail, self.mistakes, self.headers) = (status, detail, mistakes, headers)
        self.monicaCode = monicaCode ?? ErrorStatus(status).monicaCode
        code = reason ?? ErrorStatus(status).code
    }

    /// The detail and all mistakes, for a person.
    var everything: String { ([detail] + mistakes.map { "\($0.field) \($0.detail)." }).joined(separator: " ") }
}

extension RequestError {
    static let notFound = RequestError(status: 404, detail: "The resource has not been found.")

    static func malformed(_ detail: String) -> Self {
        RequestError(status: 400, detail: detail, reason: .malformedBody)
    }

    static func invalid(parameters: [Mistake]) -> Self {
        RequestError(
            status: 400, detail: "The request has parameters that can't be used.", monicaCode: 41, mistakes: parameters,
            reason: .invalidParameters)
    }

    static func invalid(fields: [Mistake]) -> Self {
        RequestError(status: 422, detail: "The body has members that can't be used.", mistakes: fields)
    }

    static func invalid(parameter name: String, _ detail: String) -> Self {
        .invalid(parameters: [Mistake(field: name, detail: detail)])
    }

    static func invalid(field name: String, _ detail: String) -> Self {
        .invalid(fields: [Mistake(field: name, detail: detail)])
    }

    static func offEarth(_ mistakes: [Mistake]) -> Self {
        RequestError(
            status: 422, detail: "The request has coordinates that are not on Earth.", mistakes: mistakes,
            reason: .outOfRange)
    }

    static func unauthenticated(
        _ detail: String, challenge: String = "Bearer", reason: ProblemCode? = nil
    ) -> Self {
        RequestError(status: 401, detail: detail, headers: ["WWW-Authenticate": challenge], reason: reason)
    }

    static func forbidden(_ detail: String, headers: HTTPHeaders = [:], reason: ProblemCode? = nil) -> Self {
        RequestError(status: 403, detail: detail, headers: headers, reason: reason)
    }

    static func tooLong(limit: Int) -> Self {
        RequestError(status: 413, detail: "The body is longer than the \(limit) bytes that are read here.")
    }

    static let unknownCoding = RequestError(
        status: 415, detail: "The body's Content-Encoding is not known; send it as gzip or as it is.",
        headers: ["Accept-Encoding": "gzip"])

    static let notGzip = malformed("The Content-Encoding is gzip, but the body is not gzip, or ends too soon.")

    static let databaseIsAway = RequestError(
        status: 503, detail: "The database is away for a moment; try again soon.", headers: ["Retry-After": "5"],
        reason: .databaseAway)

    static func tookTooLong(limit: Duration) -> Self {
        RequestError(
            status: 503,
            detail: "The database needs more than \(Int(limit / .seconds(1))) s for this; ask for less at once.",
            headers: ["Retry-After": "60"], reason: .tookTooLong)
    }

    static let unheard = RequestError(
        status: 503,
        detail: "The cluster has not received a heartbeat of this coordinator recently; the reason is in its log.",
        headers: ["Retry-After": "5"], reason: .coordinatorSilent)

    static let leaderless = RequestError(
        status: 503, detail: "No coordinator leads: requests are stored, but not processed.",
        headers: ["Retry-After": "5"], reason: .noLeader)

    static let databaseLacksSomething = RequestError(
        status: 503, detail: "The database is short of disk space or memory; an operator must act.",
        headers: ["Retry-After": "60"], reason: .databaseFull)

    static func failed(id: String) -> Self {
        RequestError(status: 500, detail: "Internal error. The log has the reason under the number \(id).")
    }
}

extension RequestError {
    static let onlyShows = RequestError(
        status: 503, detail: "This server can't steer the cluster: its login may not take the role waypost_admin.",
        headers: ["Retry-After": "60"], reason: .steeringUnavailable)

    /// The HTTP error for an error of the queue.
    init(_ error: QueueError) {
        switch error.cause {
        case .noSuchLane, .noSuchWorker: self = .notFound
        case .laneExists: self = .conflict(error.description)
        case .contradiction, .other:
            self = RequestError(status: 422, detail: error.description.asSentence)
        }
    }

    /// The state of the resource does not allow the action.
    static func conflict(_ description: String) -> Self {
        RequestError(status: 409, detail: description.asSentence)
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
                json.member("title", ErrorStatus(error.status).title)
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
}
