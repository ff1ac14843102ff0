import Access
import HTTP
import Postgres

/// How a handler uses the database of the request's account.
enum Session: Sendable {
    /// Reads, on a standby if there is one.
    case read
    /// Reads data that must be the newest.
    case look
    /// Reads with the rights of an administrator.
    case inspect
    /// Changes something in one transaction.
    case write
    /// The same with the rights of an administrator.
    case act
}

/// Reads, and writes that a client may safely send twice:
/// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
extension APIServer {
    /// Runs `body` in one transaction, unless a request with the same idempotency key was carried out before.
    ///
    /// The response is stored in the same transaction as the change. A refused request changed nothing, so a repetition
    /// is checked again.
    /// `isLong` lifts the time limit of the database.
    func write(
        _ request: APIRequest, isLong: Bool = false, _ body: @Sendable (isolated Connection) throws -> ServerResponse
    ) async throws -> ServerResponse {
        let database = backend.database(of: request.account)
        return try await write(request, in: isLong ? database.withoutLimit : database, body)
    }

    /// The same for a change of the cluster, with the rights of an administrator.
    func act(
        _ request: APIRequest, _ body: @Sendable (isolated Connection) throws -> ServerResponse
    ) async throws -> ServerResponse {
        try await write(request, in: backend.adminDatabase(of: request.account), body)
    }

    private func write(
        _ request: APIRequest, in database: AccountDatabase,
        _ body: @Sendable (isolated Connection) throws -> ServerResponse
    ) async throws -> ServerResponse {
        let account = request.account
        return try await database.transaction { database in
            guard let key = request.key else { return try body(database) }
            let answers = IdempotencyStore(account: account)
            switch try answers.begin(key.text, requestHash: key.hash, on: database) {
            case .new: break
            case .replay(let known):
                var response = ServerResponse(
                    status: known.status, headers: known.headers, body: .bytes(known.body ?? []))
                response.headers["Idempotent-Replayed"] = "true"
                return response
            case .inProgress:
                throw RequestError(
                    status: 409, detail: "A request with this Idempotency-Key is being answered.",
                    reason: .keyInProgress)
            case .conflict:
                throw RequestError(
                    status: 409, detail: "This Idempotency-Key came with another request before; take a new one.",
                    reason: .keyReused)
            }
            let response = try body(database)
            try answers.finish(
                key.text, requestHash: key.hash,
                KeptAnswer(status: response.status, headers: response.headers, body: response.bytes), on: database)
            return response
        }
    }

    /// Runs `body` on the standby or the database: see ``Backend/read(of:after:inBackground:_:)``.
    func read<Value: Sendable>(
        _ request: APIRequest, _ body: @escaping @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await backend.read(of: request.account, after: request.position, body)
    }

    /// A route whose handler is one use of the database.
    func route<Input: RequestInput, Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: APIRoute.Traits = [],
        _ session: Session, _: Input.Type,
        _ body: @escaping @Sendable (APIRequest, Input, isolated Connection) throws -> Reply<Output>
    ) -> APIRoute {
        let hasID = pattern.contains("{id}")
        return APIRoute(method, pattern, scope, is: traits) { request, input in
            // An impossible id needs no database.
            if hasID { _ = try request.id() }
            return try await run(session, request) { try body(request, input, $0) }
        }
    }

    /// The same without parameters and without a body.
    func route<Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: APIRoute.Traits = [],
        _ session: Session, _ body: @escaping @Sendable (APIRequest, isolated Connection) throws -> Reply<Output>
    ) -> APIRoute {
        route(method, pattern, scope, is: traits, session, NoInput.self) { request, _, db in try body(request, db) }
    }

    func run<Output>(
        _ session: Session, _ request: APIRequest,
        _ body: @escaping @Sendable (isolated Connection) throws -> Reply<Output>
    ) async throws -> Reply<Output> {
        switch session {
        case .read:
            // A standby's refusal counts. Thrown there, it would send the request to the database.
            try await read(request) { db -> Result<Reply<Output>, RequestError> in
                do { return .success(try body(db)) } catch let error as RequestError { return .failure(error) }
            }.get()
        case .look: try await backend.database(of: request.account).run(body)
        case .inspect: try await backend.adminDatabase(of: request.account).run(body)
        case .write: try await write(request, body)
        case .act: try await act(request, body)
        }
    }

    static let positionHeader = "Database-Position"

    /// The greatest of the positions that the client sent.
    private func position(in request: ServerRequest) throws -> Int? {
        try request.headers.values(Self.positionHeader).map { text in
            guard let position = Int(digits: text) else {
                throw RequestError.invalid(parameter: Self.positionHeader, "is not the value of an earlier reply")
            }
            return position
        }.max()
    }

    /// The request with its idempotency key, if it has one.
    func asked(
        _ request: ServerRequest, by caller: Caller, of route: APIRoute
    ) async throws -> APIRequest {
        let conditions = try Conditions(request.headers)
        let isReading = request.method == .get || request.method == .head
        guard isReading || route.traits.contains(.conditional) || conditions.permit(writeTo: .there(nil)) else {
            throw RequestError.preconditionFailed
        }
        let keys = request.headers.values("Idempotency-Key")
        guard !route.traits.contains(.unremembered), !isReading, let key = keys.first else {
            return APIRequest(
                http: request, caller: caller, body: request.body, conditions: conditions,
                position: try position(in: request))
        }
        guard keys.count == 1, IdempotencyStore.isKey(key) else {
            throw RequestError.invalid(
                parameter: "Idempotency-Key", "is not one word of 1 to 255 visible ASCII characters")
        }
        let body = try await request.body.collect(upTo: APIRequest.longestBody)
        // Neither a method nor a path contains a zero byte, so zero bytes can separate them.
        let identity = ([request.method.rawValue] + request.path).flatMap { Array($0.utf8) + [0] } + body
        return APIRequest(
            http: request, caller: caller, body: RequestBody(body), key: (text: key, hash: Digest.sha256(identity)),
            conditions: conditions)
    }
}
