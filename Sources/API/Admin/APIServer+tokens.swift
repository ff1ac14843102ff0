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
    func createToken(_ request: APIRequest, _ body: TokenInput) async throws -> Reply<NewToken> {
        let caller = request.caller
        do {
            return try await act(request) { [store = backend.tokens] database in
                let made = try store.issue(
                    name: body.name, scopes: body.scopes, user: body.user, expires: body.lifetime, by: caller,
                    on: database)
                return Reply(NewToken(made.token, text: made.text), status: 201)
            }
        } catch let refusal as TokenStore.Refusal {
            throw RequestError(refusal, of: caller)
        }
    }

    /// `DELETE /v1/tokens/{id}`: revokes a token. Revoking it twice has no further effect.
    func revokeToken(_ request: APIRequest) async throws -> ServerResponse {
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
            let own = caller.scopes.words.joined(separator: ", ")
            self = .invalid(fields: [
                .init(field: "scopes", detail: "has one that your own token has not; it has \(own)")
            ])
        }
    }
}

struct TokenInput: BodyInput {
    // A misspelt expiry would make a token that never expires.
    static let allowsOthers = false
    let name: String, scopes: Set<AccessScope>, user: String?, lifetime: Duration?

    init(_ body: inout RequestReader) {
        name = body.requiredText("name", within: .user, example: "map")
        scopes = body.scopes()
        user = body.text(
            "user", schema: .text(1...TextLimit.user.characters).matching(#"^[^\u0000]*$"#), within: .user,
            "The one user that the token is good for. It goes with the scopes track and locate only.",
            isNullable: false)
        // Otherwise a program that lacks the user would get a token for all users.
        if body.isGiven("user"), (user ?? "").isEmpty, !body.isMistaken("user") { body.mistake("user", "is empty") }
        if user != nil, !scopes.isSubset(of: AccessScope.ofOneUser) {
            body.mistake("user", "goes with the scopes track and locate only")
        }
        lifetime = body.seconds(
            "expires_seconds", "By default it is good for as long as the token of the request.", example: 7_776_000)
    }
}

extension RequestReader {
    fileprivate mutating func scopes() -> Set<AccessScope> {
        let words = AccessScope.allCases.map(\.rawValue)
        let refusal = "must be a list of one or more of \(words.joined(separator: ", ")), each once"
        let scopes = value(
            "scopes", .list(.choice(words), 1 ... .max).with("uniqueItems", true), example: ["read"],
            isRequired: true, refusal: refusal
        ) { value -> Set<AccessScope>? in
            let scopes = value.list?.compactMap { $0.text.flatMap(AccessScope.init(rawValue:)) } ?? []
            let isClean = scopes.count == value.list?.count && Set(scopes).count == scopes.count
            return scopes.isEmpty || !isClean ? nil : Set(scopes)
        }
        return scopes ?? []
    }
}
