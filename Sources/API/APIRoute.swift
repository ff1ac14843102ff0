import Access
import Formats
import HTTP
import JSON
import Postgres
import Shapes

/// One line of the table of routes.
struct APIRoute: Sendable {
    typealias Handler = @Sendable (APIRequest) async throws -> ServerResponse

    /// The access rule of a route.
    enum Entrance: Sendable {
        case anyone(@Sendable (ServerRequest) async throws -> ServerResponse)
        case whoever(AccessScope, Handler)
    }

    /// The routes' groups in the description.
    enum Tag: String, CaseIterable {
        case app = "Monica", waypost = "Waypost", positions = "Positions", cluster = "Cluster"
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// The route ignores `Idempotency-Key`: for a stream, which can't be compared before it is read, and for a
        /// question, whose response changes when its answer is known.
        static let unremembered = Self(rawValue: 1)
        /// The handler evaluates `If-Match` and `If-None-Match` with the resource locked. Other writes are to a resource
        /// that always exists and has no tag, such as a list: see ``Conditions/permit(writeTo:)``.
        static let conditional = Self(rawValue: 2)
        /// A phone's app may send its token in one of the ways that apps support, and the handler checks the user: see
        /// ``ServerRequest/withPhonesToken()``.
        static let phone = Self(rawValue: 4)
        /// Other programs check the health of this process here.
        static let health = Self(rawValue: 8)
        /// The metrics, which are needed most while the database is unreachable.
        static let metrics = Self(rawValue: 16)
        /// The handler computes, and needs no database.
        static let computed = Self(rawValue: 32)
        /// The stream of contacts, which outlasts a restart of the database.
        static let outlasting = Self(rawValue: 64)
    }

    let method: ServerRequest.Method
    let pattern: String
    let traits: Traits
    let entrance: Entrance
    /// The query or the body that the handler gets.
    private(set) var input: (any RequestInput.Type)?
    /// The type of the body of a successful response, if it is JSON.
    private(set) var output: (any JSONRepresentable.Type)?
    /// The route's part of the description of the API.
    var operation: Operation?
    /// The table that has the route.
    var tag = Tag.waypost

    private init(_ method: ServerRequest.Method, _ pattern: String, _ traits: Traits, _ entrance: Entrance) {
        (self.method, self.pattern, self.traits, self.entrance) = (method, pattern, traits, entrance)
    }

    /// A route whose handler gets the query or the body as a value.
    init<Input: RequestInput, Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: Traits = [],
        _ handler: @escaping @Sendable (APIRequest, Input) async throws -> Reply<Output>
    ) {
        self.init(method, pattern, scope, is: traits) { (request, input: Input) in
            try await handler(request, input).response
        }
        output = Output.self
    }

    init<Input: RequestInput>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: Traits = [],
        _ handler: @escaping @Sendable (APIRequest, Input) async throws -> ServerResponse
    ) {
        self.init(method, pattern, traits, .whoever(scope) { try await handler($0, .read($0)) })
        input = Input.self
    }

    /// A route without parameters, whose handler reads the body itself if there is one.
    init<Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: Traits = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> Reply<Output>
    ) {
        self.init(method, pattern, scope, is: traits) { (request, _: NoInput) in try await handler(request) }
    }

    init(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: Traits = [],
        _ handler: @escaping Handler
    ) {
        self.init(method, pattern, scope, is: traits) { (request, _: NoInput) in try await handler(request) }
    }

    /// A route in Monica's format, which ignores unknown parameters.
    init<Output>(
        monica method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: Traits = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> Reply<Output>
    ) {
        self.init(method, pattern, traits, .whoever(scope) { try await handler($0).response })
        output = Output.self
    }

    init(
        _ method: ServerRequest.Method, _ pattern: String,
        anyone handler: @escaping @Sendable (ServerRequest) async throws -> ServerResponse
    ) {
        self.init(method, pattern, [], .anyone(handler))
    }

    init(health pattern: String, _ handler: @escaping @Sendable (ServerRequest) async throws -> Reply<Health>) {
        self.init(.get, pattern, .health, .anyone { try await handler($0).response })
        output = Health.self
    }

    /// A route for positions in the protocol of a phone's app.
    init(phone method: ServerRequest.Method, _ pattern: String, _ handler: @escaping Handler) {
        self.init(method, pattern, [.phone, .unremembered], .whoever(.track, handler))
    }

    /// True if the handler itself computes little: it waits for the database, and a long response is written on the
    /// connection's thread.
    var isQuick: Bool {
        traits.contains(.health) || scope == .read && method == .get && !traits.contains(.computed)
    }

    /// True if a token of one user may use the route for this request. Swift takes names for equal that are two names in
    /// the database, so the bytes decide.
    func isOpen(toUser user: String, _ request: ServerRequest) -> Bool {
        traits.contains(.phone) || request.parameters["user"]?.isExactly(user) == true
    }

    var scope: AccessScope? { if case .whoever(let scope, _) = entrance { scope } else { nil } }

    /// True if the handler only reads contacts or positions, which the standby has too.
    var isOfReaders: Bool { scope == .read || scope == .locate }

    /// True if the handler may change something.
    var isOfWriters: Bool { scope != nil && !isOfReaders && (scope != .admin || method != .get) }

    var waitsForDatabase: Bool { scope != nil && !traits.contains(.outlasting) && !needsOnlyCaller }

    /// True if the handler needs no database. While the database is unreachable, callers that were accepted recently are
    /// still accepted: see ``CallerMemory``.
    var needsOnlyCaller: Bool { !traits.isDisjoint(with: [.metrics, .computed]) }

    var form: ErrorForm { tag == .app ? .contacts : .problem }
}

/// A response whose body is the JSON of an `Output`. The description of a route takes its schema from this type.
struct Reply<Output: JSONRepresentable>: Sendable {
    var response: ServerResponse

    init(_ output: Output, status: Int = 200, type: String = "application/json") {
        response = .json(status, type: type) { output.write(to: &$0) }
    }

    /// See ``ServerResponse/showing(_:)``.
    func showing(_ path: String) -> Self { Self(response.showing(path)) }

    fileprivate init(_ response: ServerResponse) { self.response = response }
}

extension Reply<NoContent> {
    static var nothing: Self { Self(ServerResponse(status: 204)) }
}

/// The output of a route that responds without a body.
enum NoContent: JSONRepresentable {
    func write(to json: inout JSONWriter) {}
    static var schema: Schema { .anything }
}

extension APIServer {
    /// Runs `body` in one transaction: see ``write(_:isLong:_:)-(_,_,(Connection)->ServerResponse)``.
    func write<Output>(
        _ request: APIRequest, isLong: Bool = false, _ body: @Sendable (isolated Connection) throws -> Reply<Output>
    ) async throws -> Reply<Output> {
        Reply(try await write(request, isLong: isLong) { try body($0).response })
    }

    /// The same for a change of the cluster, with the rights of an administrator.
    func act<Output>(
        _ request: APIRequest, _ body: @Sendable (isolated Connection) throws -> Reply<Output>
    ) async throws -> Reply<Output> {
        Reply(try await act(request) { try body($0).response })
    }
}

/// The bytes of one event: https://html.spec.whatwg.org/multipage/server-sent-events.html
func event(_ name: String, _ value: some JSONRepresentable) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + JSONWriter.bytes { value.write(to: &$0) } + Array("\n\n".utf8)
}
