import HTTP

/// A way in which contacts are written for clients. Both have the same routes and the same handlers.
enum ContactForm: Sendable, Hashable {
    /// Under `/api`, as the app has it that Waypost grew from: in Monica's shape, with numbers for countries.
    case app
    /// Under `/monica/api`, as Monica 4.1.2 has it.
    case monica

    /// What the paths begin with.
    var base: String {
        switch self {
        case .app: "/api"
        case .monica: "/monica/api"
        }
    }
}

/// For whom contacts are written, and how.
struct ContactAudience: Sendable {
    let form: ContactForm
    let account: Int
    /// The scheme and the host that links begin with.
    let origin: String

    func url(_ path: String) -> String { origin + form.base + path }
}

extension APIRequest {
    var form: ContactForm { http.path.first == "monica" ? .monica : .app }

    var audience: ContactAudience {
        ContactAudience(form: form, account: caller.account, origin: http.origin)
    }
}
