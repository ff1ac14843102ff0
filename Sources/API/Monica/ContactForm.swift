import Access
import HTTP

/// A JSON format of contacts. Both have the same routes and the same handlers.
enum ContactForm: Sendable, Hashable {
    /// Under `/api`, for the app from which Waypost originated: Monica's format, with numbers for countries.
    case app
    /// Under `/monica/api`, the format of Monica 4.1.2.
    case monica

    /// The prefix of the paths.
    var base: String {
        switch self {
        case .app: "/api"
        case .monica: "/monica/api"
        }
    }
}

/// The format and the account for which contacts are written.
struct ContactAudience: Sendable {
    let form: ContactForm
    let account: Int
    /// The scheme and the host at the start of links.
    let origin: String

    func url(_ path: String) -> String { origin + form.base + path }
}

extension APIRequest {
    var form: ContactForm { http.path.first == "monica" ? .monica : .app }

    var audience: ContactAudience {
        ContactAudience(form: form, account: caller.account, origin: http.origin)
    }
}
