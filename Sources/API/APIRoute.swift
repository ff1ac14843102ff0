import Access
import Formats
import HTTP
import Shapes

/// One line of the table of routes.
struct APIRoute: Sendable {
    typealias Handler = @Sendable (APIRequest) async throws -> ServerResponse

    /// The access rule of a route.
    enum Entrance: Sendable {
        case anyone(@Sendable (ServerRequest) async throws -> ServerResponse)
        case whoever(AccessScope, Handler)
    }

    let method: ServerRequest.Method
    let pattern: String
    let entrance: Entrance
    /// False if the route ignores `Idempotency-Key`: for a stream, which can't be compared before it is read, and for a
    /// question, whose response changes when its answer is known.
    let isRemembered: Bool
    /// True if the handler evaluates `If-Match` and `If-None-Match` with the resource locked. Other writes are to a
    /// resource that always exists and has no tag, such as a list: see ``Conditions/permit(writeTo:)``.
    let isConditional: Bool
    /// True if a phone's app may send its token in one of the ways that apps support. See
    /// ``ServerRequest/withPhonesToken()``.
    let isForPhones: Bool
    /// The query or the body that the handler gets.
    private(set) var input: (any RequestInput.Type)?
    /// The type of the body of a successful response, if it is JSON.
    private(set) var output: (any JSONRepresentable.Type)?
    /// The route's part of the description of the API.
    var operation: Operation?
    /// True for the routes that control the cluster.
    var isForAdministrators = false

    private init(
        _ method: ServerRequest.Method, _ pattern: String, isRemembered: Bool = false, isConditional: Bool = false,
        isForPhones: Bool = false, _ entrance: Entrance
    ) {
        (self.method, self.pattern, self.entrance) = (method, pattern, entrance)
        (self.isRemembered, self.isConditional, self.isForPhones) = (isRemembered, isConditional, isForPhones)
    }

    /// A route whose handler gets the query or the body as a value.
    init<Input: RequestInput, Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, isRemembered: Bool = true,
        isConditional: Bool = false, _ handler: @escaping @Sendable (APIRequest, Input) async throws -> Reply<Output>
    ) {
        self.init(method, pattern, scope, isRemembered: isRemembered, isConditional: isConditional) {
            (request, input: Input) in
            try await handler(request, input).response
        }
        output = Output.self
    }

    init<Input: RequestInput>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, isRemembered: Bool = true,
        isConditional: Bool = false,
        _ handler: @escaping @Sendable (APIRequest, Input) async throws -> ServerResponse
    ) {
        self.init(
            method, pattern, isRemembered: isRemembered, isConditional: isConditional,
            .whoever(scope) { try await handler($0, .read($0)) })
        input = Input.self
    }

    /// A route without parameters, whose handler reads the body itself if there is one.
    init<Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, isRemembered: Bool = true,
        isConditional: Bool = false, _ handler: @escaping @Sendable (APIRequest) async throws -> Reply<Output>
    ) {
        self.init(method, pattern, scope, isRemembered: isRemembered, isConditional: isConditional) {
            try await handler($0).response
        }
        output = Output.self
    }

    init(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, isRemembered: Bool = true,
        isConditional: Bool = false, _ handler: @escaping Handler
    ) {
        self.init(
            method, pattern, isRemembered: isRemembered, isConditional: isConditional,
            .whoever(scope) { request in
                try request.refuseParameters()
                return try await handler(request)
            })
    }

    /// A route in Monica's format, which ignores unknown parameters.
    init<Output>(
        monica method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, isConditional: Bool = false,
        _ handler: @escaping @Sendable (APIRequest) async throws -> Reply<Output>
    ) {
        self.init(
            method, pattern, isRemembered: true, isConditional: isConditional,
            .whoever(scope) { try await handler($0).response })
        output = Output.self
    }

    init(
        _ method: ServerRequest.Method, _ pattern: String,
        anyone handler: @escaping @Sendable (ServerRequest) async throws -> ServerResponse
    ) {
        self.init(method, pattern, .anyone(handler))
    }

    /// A route for positions in the protocol of a phone's app.
    init(phone method: ServerRequest.Method, _ pattern: String, _ handler: @escaping Handler) {
        self.init(method, pattern, isForPhones: true, .whoever(.track, handler))
    }

    /// True for the routes by which other programs check the health of this process.
    var isAlwaysAnswered: Bool { ["/livez", "/health", "/readyz"].contains(pattern) }

    /// True if the handler itself computes little: it waits for the database, and a long response is written on the
    /// connection's thread.
    var isQuick: Bool {
        if case .whoever(.read, _) = entrance { return method == .get && pattern != "/v1/suggest" }
        return isAlwaysAnswered
    }

    /// True if a token of one user may use the route for this request. The routes of phone apps check the user
    /// themselves. Swift takes names for equal that are two names in the database, so the bytes decide.
    func isOpen(toUser user: String, _ request: ServerRequest) -> Bool {
        isForPhones || pattern.hasPrefix("/v1/trackers/{user}") && request.parameters["user"]?.isExactly(user) == true
    }

    var scope: AccessScope? { if case .whoever(let scope, _) = entrance { scope } else { nil } }

    /// True if the handler only reads contacts or positions, which the standby has too.
    var isOfReaders: Bool { scope == .read || scope == .locate }

    /// True if the handler may change something.
    var isOfWriters: Bool { scope != nil && !isOfReaders && (scope != .admin || method != .get) }

    /// False for routes that need no database, for metrics, and for the stream of contacts, which outlasts a restart of
    /// the database.
    var waitsForDatabase: Bool {
        if case .anyone = entrance { return false }
        return !(method == .put && pattern == "/v1/friends") && !needsOnlyCaller
    }

    /// True if the handler needs no database. While the database is unreachable, callers that were accepted recently are
    /// still accepted: see ``CallerMemory``.
    var needsOnlyCaller: Bool { isScrape || pattern == "/v1/suggest" }

    /// True for the metrics, which are needed most while the database is unreachable.
    var isScrape: Bool { pattern == "/metrics" }

    var form: ErrorForm { pattern.hasPrefix("/api/") ? .contacts : .problem }
}
