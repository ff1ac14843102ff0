import Access
import Formats
import HTTP
import JSON
import Locations
import Postgres
import Shapes

/// The tokens of the caller's own account. Those of other accounts need the command line.
extension APIServer {
    /// `GET /v1/tokens`
    func tokens(_ request: APIRequest) async throws -> Reply<List<TokenView>> {
        try request.refuseParameters()
        let account = request.caller.accountName
        let tokens = try await backend.adminDatabase(of: request.caller.account).run {
            [store = backend.tokens] database in
            try store.list(account: account, on: database)
        }
        let own = request.caller.token
        return Reply(List(tokens.map { TokenView($0, isOwn: $0.id == own) }))
    }

    /// `POST /v1/tokens`: the response contains the token, which can't be shown again. So the response is not stored
    /// under an idempotency key.
    func createToken(_ request: APIRequest) async throws -> Reply<NewToken> {
        try request.refuseParameters()
        var fields = try await request.fields()
        let name = fields.requiredText("name", within: .user)
        let scopes = fields.scopes("scopes")
        let user = fields.names.contains("user") ? fields.text("user", within: .user) : nil
        if let user, user.isEmpty { fields.mistake("user", "is empty") }
        if user != nil, !scopes.isSubset(of: AccessScope.ofOneUser) {
            fields.mistake("user", "goes with the scopes track and locate only")
        }
        let seconds = fields.integer("expires_seconds", in: 1...3_162_240_000)
        // A misspelt expiry would make a token that never expires.
        for other in fields.names.subtracting(["name", "scopes", "user", "expires_seconds"]).sorted() {
            fields.mistake(other, "is no member of a new token; there are name, scopes, user and expires_seconds")
        }
        try fields.finish()
        let caller = request.caller
        do {
            return try await act(request) { [store = backend.tokens] database in
                let made = try store.issue(
                    name: name, scopes: scopes, user: user, expires: seconds.map { .seconds($0) }, by: caller,
                    on: database)
                return Reply(NewToken(made.token, text: made.text), status: 201)
            }
        } catch let refusal as TokenStore.Refusal {
            throw RequestError(refusal, of: caller)
        }
    }

    /// `DELETE /v1/tokens/{id}`: revokes a token. Revoking it twice has no further effect.
    func revokeToken(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let id = try request.id()
        guard id <= Int32.max else { throw RequestError.notFound }
        return try await act(request) { [store = backend.tokens] database in
            guard try store.revoke(id, by: request.caller.author, on: database) != nil else {
                throw RequestError.notFound
            }
            return ServerResponse(status: 204)
        }
    }
}

extension RequestError {
    fileprivate init(_ refusal: TokenStore.Refusal, of caller: Caller) {
        switch refusal {
        case .creatorIsGone:
            self = .unauthenticated(
                "The token is not valid here any more.", challenge: "Bearer error=\"invalid_token\"")
        case .beyondCreator:
            let own = AccessScope.allCases.filter(caller.scopes.contains).map(\.rawValue).joined(separator: ", ")
            self = .invalid(fields: [
                .init(field: "scopes", detail: "has one that your own token has not; it has \(own)")
            ])
        }
    }
}

extension FieldReader {
    fileprivate mutating func scopes(_ name: String) -> Set<AccessScope> {
        let list = value(name)?.list ?? []
        let scopes = list.compactMap { $0.text.flatMap(AccessScope.init(rawValue:)) }
        if scopes.isEmpty || scopes.count < list.count || Set(scopes).count < scopes.count {
            let words = AccessScope.allCases.map(\.rawValue).joined(separator: ", ")
            mistake(name, "is no list of one or more of \(words), each once")
        }
        return Set(scopes)
    }
}
