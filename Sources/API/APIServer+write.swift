import Access
import HTTP
import Postgres

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
        let database = backend.database(of: request.caller.account)
        return try await write(request, in: isLong ? database.withoutLimit : database, body)
    }

    /// The same for a change of the cluster, with the rights of an administrator.
    func act(
        _ request: APIRequest, _ body: @Sendable (isolated Connection) throws -> ServerResponse
    ) async throws -> ServerResponse {
        try await write(request, in: backend.adminDatabase(of: request.caller.account), body)
    }

    private func write(
        _ request: APIRequest, in database: AccountDatabase,
        _ body: @Sendable (isolated Connection) throws -> ServerResponse
    ) async throws -> ServerResponse {
        let account = request.caller.account
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
                    status: 409, detail: "A request with this Idempotency-Key is being answered.", monicaCode: 41,
                    reason: .keyInProgress)
            case .conflict:
                throw RequestError(
                    status: 409, detail: "This Idempotency-Key came with another request before; take a new one.",
                    monicaCode: 41, reason: .keyReused)
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
        try await backend.read(of: request.caller.account, after: request.position, body)
    }

    static let positionHeader = "Database-Position"

    /// The greatest of the positions that the client sent.
    private func position(in request: ServerRequest) throws -> Int? {
        try request.headers.values(Self.positionHeader).map { text in
            guard let position = Int(digits: text) else {
                throw RequestError.invalid(parameters: [
                    .init(field: Self.positionHeader, detail: "is not the value of an earlier reply")
                ])
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
            throw RequestError.invalid(parameters: [
                .init(field: "Idempotency-Key", detail: "is not one word of 1 to 255 visible ASCII characters")
            ])
        }
        let body = try await request.body.collect(upTo: APIRequest.longestBody)
        // Neither a method nor a path contains a zero byte, so zero bytes can separate them.
        let identity = ([request.method.rawValue] + request.path).flatMap { Array($0.utf8) + [0] } + body
        return APIRequest(
            http: request, caller: caller, body: RequestBody(body), key: (text: key, hash: Digest.sha256(identity)),
            conditions: conditions)
    }
}
