import Access
import HTTP
import JSON
import Shapes

/// An error that many routes share, as the description shows it.
struct Refusal: Sendable {
    /// The example.
    let error: RequestError
    /// The meaning of the status.
    let summary: String
    let headers: [String]

    init(_ error: RequestError, _ summary: String, headers: [String]? = nil) {
        (self.error, self.summary) = (error, summary)
        self.headers = (headers ?? Array(error.headers.fields.map(\.name))) + ["Request-Id"]
    }

    private init(_ status: Int, _ detail: String, headers: [String] = []) {
        self.init(RequestError(status: status, detail: detail, monicaCode: 0), detail, headers: headers)
    }

    static let all = [
        Refusal(
            .invalid(parameter: "limit", "is not a whole number from 1 to 1000"),
            "The path, a parameter or the JSON is not valid."),
        Refusal(.unauthenticated("The request has no token."), "No token, or an invalid one."),
        Refusal(
            .missingScope(.write), "The token lacks the scope; or the server has no tokens and the client is remote.",
            headers: []),
        Refusal(.notFound, "There is no such resource."),
        Refusal(405, "The path has other methods, which `Allow` lists.", headers: ["Allow"]),
        Refusal(408, "The request came too slowly."),
        Refusal(
            RequestError(
                status: 409, detail: "A request with this Idempotency-Key is being answered.", reason: .keyInProgress),
            "The resource's state, or another request with this Idempotency-Key, forbids it."),
        Refusal(410, "Friends were deleted for good since; begin again with updated_since=0."),
        Refusal(.preconditionFailed, "`If-Match` or `If-None-Match` is not true for the resource."),
        Refusal(.tooLong(limit: APIRequest.longestBody), "The body is too long."),
        Refusal(414, "The path and the query are too long."),
        Refusal(415, "The body is of another type, or has a coding other than gzip."),
        Refusal(
            .invalid(field: "city", "is longer than 2,000 characters"),
            "Members of the body are not valid, or coordinates are not on Earth."),
        Refusal(
            RequestError(status: 429, detail: "The account has too many requests under way."),
            "The account has too many requests under way, or too many event streams open.",
            headers: ["RateLimit", "RateLimit-Policy", "Retry-After"]),
        Refusal(431, "The head is too long."),
        Refusal(.failed(id: "1k2j3h"), "Internal error; the log has the reason."),
        Refusal(.databaseIsAway, "The database is away for a moment."),
    ]

    /// The forms of the body; a form's name begins the names of its responses.
    enum Form: String, CaseIterable { case problem = "Problem", app = "Monica" }

    /// Errors with the code 0 are made before a route is found.
    func has(_ form: Form) -> Bool {
        switch form {
        case .problem: true
        case .app: error.monicaCode != 0 || error.status == 415
        }
    }

    /// Writes the responses of all statuses in all forms, for `components`.
    static func write(to json: inout JSONWriter) {
        for form in Form.allCases {
            for refusal in all where refusal.has(form) {
                json.object("\(form.rawValue)\(refusal.error.status)") { refusal.write(in: form, to: &$0) }
            }
        }
    }

    private func write(in form: Form, to json: inout JSONWriter) {
        json.member("description", summary)
        json.object("content") { json in
            // The HTTP server sends some of these statuses before a route is found.
            let isEarly = form == .app && [400, 413].contains(error.status)
            for form in [form] + (isEarly ? [.problem] : []) {
                let response = form.errorForm.response(error)
                json.object(response.headers["Content-Type"] ?? "") { json in
                    json.member("schema", number: Schema.model(form.model).json().text)
                    json.member("example", number: String(decoding: response.bytes, as: UTF8.self))
                }
            }
        }
        json.headers(headers)
    }
}

extension Refusal.Form {
    fileprivate var errorForm: ErrorForm {
        switch self {
        case .problem: .problem
        case .app: .contacts
        }
    }

    var model: Model {
        switch self {
        case .problem: Models.problem
        case .app: MonicaModels.error
        }
    }
}

extension ErrorForm {
    /// The name of the response with this status.
    func refusal(_ status: Int) -> String {
        let refusal = Refusal.all.first { $0.error.status == status }
        let form: Refusal.Form = self == .contacts && refusal?.has(.app) == true ? .app : .problem
        return "\(form.rawValue)\(status)"
    }
}
