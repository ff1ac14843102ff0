import HTTP

/// A line of the table of routes.
struct APIRoute: Sendable {
    typealias Handler = @Sendable (APIRequest) async throws -> ServerResponse

    /// Who may use it.
    enum Entrance: Sendable {
        case anyone(@Sendable (ServerRequest) async throws -> ServerResponse)
        case whoever(AccessScope, Handler)
    }

    let method: ServerRequest.Method
    private(set) var pattern: String
    let entrance: Entrance
    /// False where an `Idempotency-Key` means nothing: for a stream, which can not be compared before it is read, and for
    /// a question, whose answer changes when it is known.
    let isRemembered: Bool
    /// True where the handler evaluates `If-Match` and `If-None-Match`, with the resource locked. All other writes are to a resource that is
    /// always there and has no tag, such as a list: see ``Conditions/permit(writeTo:)``.
    let isConditional: Bool
    /// True where a phone's app may show its token in one of the ways that it knows. See ``ServerRequest/withPhonesToken()``.
    let isForPhones: Bool

    init(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, isRemembered: Bool = true,
        isConditional: Bool = false, _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.isRemembered = isRemembered
        self.isConditional = isConditional
        isForPhones = false
        entrance = .whoever(scope, handler)
    }

    init(
        _ method: ServerRequest.Method, _ pattern: String,
        anyone handler: @escaping @Sendable (ServerRequest) async throws -> ServerResponse
    ) {
        self.method = method
        self.pattern = pattern
        isRemembered = false
        isConditional = false
        isForPhones = false
        entrance = .anyone(handler)
    }

    /// Positions that a phone's app sends in its own protocol.
    init(phone method: ServerRequest.Method, _ pattern: String, _ handler: @escaping Handler) {
        self.method = method
        self.pattern = pattern
        isRemembered = false
        isConditional = false
        isForPhones = true
        entrance = .whoever(.track, handler)
    }

    /// True for the routes by which others find out whether this process is well.
    var isAlwaysAnswered: Bool { ["/livez", "/health", "/readyz"].contains(pattern) }

    /// True if a token of one user may use it for this request. The routes of phone apps check the user themselves.
    func isOpen(toUser user: String, _ request: ServerRequest) -> Bool {
        isForPhones || pattern.hasPrefix("/v1/trackers/{user}") && request.parameters["user"] == user
    }

    /// The same at another place.
    func under(_ prefix: String) -> APIRoute {
        var route = self
        route.pattern = prefix + pattern
        return route
    }

    /// False where nothing is asked of the database, for metrics, and for a stream that is taken in: that outlasts a restart of the database.
    var waitsForDatabase: Bool {
        if case .anyone = entrance { return false }
        return !(method == .put && pattern == "/v1/friends") && !isScrape
    }

    /// True for the route that says most while the database is away.
    var isScrape: Bool { pattern == "/metrics" }

    var form: ErrorForm {
        [ContactForm.app, .monica].first { pattern.hasPrefix($0.base + "/") }.map { .contacts($0) } ?? .problem
    }
}
