import HTTP
import JSON

/// An error in a reply of a Google service: https://cloud.google.com/apis/design/errors
struct GoogleFault {
    let httpStatus: Int
    /// A name such as `INVALID_ARGUMENT`; nil if the reply has another shape, such as a proxy's HTML page.
    let status: String?
    /// In Firebase's older services a name such as `TOKEN_EXPIRED`; otherwise a sentence, which may quote the request.
    let message: String
    /// Names such as `SERVICE_DISABLED`.
    let reasons: Set<String>

    init(_ response: HTTPResponse) {
        httpStatus = response.status
        let body = try? JSONValue(parsing: response.body)
        // A stream of replies comes as a list.
        let fault = (body?.list?.first ?? body)?.object?["error"]?.object
        status = fault?["status"]?.text
        message = fault?["message"]?.text ?? ""
        reasons = Set((fault?["details"]?.list ?? []).compactMap { $0.object?["reason"]?.text })
    }

    /// True if the project's settings must be corrected, whoever calls.
    var isOfProject: Bool {
        !reasons.isDisjoint(with: [
            "SERVICE_DISABLED", "BILLING_DISABLED", "CONSUMER_INVALID", "CONSUMER_SUSPENDED", "API_KEY_INVALID",
            "API_KEY_SERVICE_BLOCKED", "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED",
            "API_KEY_ANDROID_APP_BLOCKED", "API_KEY_IOS_APP_BLOCKED",
        ])
    }
}

/// The reason why Firestore has not executed a commit.
struct FirestoreFault {
    private let fault: GoogleFault
    private let pause: Duration

    init(_ response: HTTPResponse) {
        fault = GoogleFault(response)
        pause = response.pause
    }

    var error: SinkError {
        let reason = "Firestore answered \(fault.httpStatus)" + (known.map { " \($0)" } ?? "")
        return switch fault.httpStatus {
        case 413: .refused(reason: reason)
        case 429: .busy(retryAfter: pause)
        // A proxy between us and Google may also send such a status. Only an error from Google itself counts as a
        // refusal.
        case _ where known == nil: .unavailable(reason: reason)
        case 400 where fault.status == "INVALID_ARGUMENT": .refused(reason: reason)
        // Our writes have no precondition. So it concerns the database: it runs in Datastore mode, or is disabled.
        case 400 where fault.status == "FAILED_PRECONDITION": .denied(reason: "\(reason): look at the database's mode")
        case 401: .unauthorized(reason: reason)
        case 403 where fault.isOfProject: .denied(reason: "\(reason): the project may not use Firestore")
        // The app's rules refuse this user.
        case 403: .unauthorized(reason: reason)
        case 404: .denied(reason: "\(reason): there is no such project or database")
        default: .unavailable(reason: reason)
        }
    }

    /// Google's status name. Its sentences may quote a document, and are not repeated.
    private var known: String? {
        guard let status = fault.status, status.utf8.count <= 40,
            status.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        return status
    }
}
