import Geocoding
import HTTP
import Postgres

/// Requests that a client may send twice without harm:
/// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
extension APIServer {
    /// Changes what `body` changes, in one transaction, unless that was done under the request's key before.
    ///
    /// The answer is kept exactly when the change is: a request that was refused changed nothing, and is judged anew.
    func write(
        _ request: APIRequest, _ body: @Sendable (isolated Connection) throws -> ServerResponse
    ) async throws -> ServerResponse {
        let account = request.caller.account
        return try await backend.database.transaction(as: account) { [memory = backend.memory] database in
            guard let memory, let key = request.key else { return try body(database) }
            if let known = try memory.answer(to: key, account: account, on: database) { return known }
            let response = try body(database)
            try memory.keep(response, for: key, account: account, on: database)
            return response
        }
    }

    /// The request with its key, if it has one.
    func asked(
        _ request: ServerRequest, by caller: Caller, isRemembered: Bool
    ) async throws -> APIRequest {
        let isReading = request.method == .get || request.method == .head
        guard isRemembered, !isReading, let key = request.headers["Idempotency-Key"] else {
            return APIRequest(http: request, caller: caller, body: request.body)
        }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Refusal.invalid(parameters: [
                .init(field: "Idempotency-Key", detail: "is not 1 to 255 visible characters of ASCII")
            ])
        }
        let body = try await request.body.collect(upTo: APIRequest.longestBody)
        // Neither a method nor a path has a zero byte, so it tells where one ends.
        let identity = ([request.method.rawValue] + request.path).flatMap { Array($0.utf8) + [0] } + body
        let digest = SHA256.digest(of: identity).flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
        return APIRequest(
            http: request, caller: caller, body: RequestBody(body), key: RequestKey(text: key, digest: digest))
    }
}
