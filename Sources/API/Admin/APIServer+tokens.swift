import Access
import Formats
import HTTP
import JSON
import Locations
import Postgres
import Shapes

/// The tokens of the caller's own account. Those of other accounts need the command line.
extension APIServer {
    @ListBuilder<APIRoute> var tokenRoutes: [APIRoute] {
        route(.get, "/v1/tokens", .admin, .inspect) { request, db in
            let tokens = try backend.tokens.list(account: request.caller.accountName, on: db)
            return Reply(List(tokens.map { TokenView($0, isOwn: $0.id == request.caller.token) }))
        }
        .described(
            "getTokens", "Lists the account's tokens",
            details: "Without their secrets: the good, the expired and the revoked.", .ok("The tokens."))
        // The response can't be shown again, so it is not stored under an idempotency key.
        route(.post, "/v1/tokens", .admin, is: .unremembered, .act, TokenInput.self) { request, body, db in
            let made: (token: Token, text: String)
            do {
                made = try backend.tokens.issue(
                    name: body.name, scopes: body.scopes, user: body.user, expires: body.lifetime,
                    manners: body.manners,
                    by: request.caller, on: db)
            } catch let refusal as TokenStore.Refusal {
                throw RequestError(refusal, of: request.caller)
            }
            return Reply(NewToken(made.token, text: made.text), status: 201)
        }
        .described(
            "createToken", "Creates a token",
            details:
                "For the account of the request's own token, with scopes that that one has, and for no longer. The answer is the only one that ever has the token; it is kept under no idempotency key.",
            .ok("The token.", status: 201))
        // Revoking a token twice has no further effect.
        route(.delete, "/v1/tokens/{id}", .admin, .act) { request, db in
            let id = try request.id()
            guard id <= Int32.max, try backend.tokens.revoke(id, by: request.author, on: db) != nil else {
                throw RequestError.notFound
            }
            return .nothing
        }
        .described(
            "revokeToken", "Revokes a token",
            details: "A server that used the token, or a session of it, refuses it within 5 seconds.",
            .nothing("It is revoked."))
        route(.get, "/v1/gateway", .admin, .inspect, TrafficQuery.self) { _, query, db in
            Reply(try GatewayTraffic.look(query.span, on: db))
        }
        .described(
            "getGatewayTraffic", "Shows the requests at the gateway by token",
            details:
                "Those of the account's tokens, over all coordinators, which add theirs every 5 seconds. The percentiles are interpolated between powers of 2.",
            .ok("The requests."))
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
            self = .invalid(field: "scopes", "has one that your own token has not; it has \(own)")
        }
    }
}

struct TrafficQuery: QueryInput {
    let span: TrafficSpan

    init(_ query: inout RequestReader) {
        span = query.choice("span", of: TrafficSpan.allCases, "How far back.", usual: .minute, example: "1h") ?? .minute
    }
}

struct TokenInput: BodyInput {
    // A misspelt expiry would make a token that never expires.
    static let allowsOthers = false
    let name: String, scopes: Set<AccessScope>, user: String?, lifetime: Duration?, manners: GeocodingManners

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
        if scopes.contains(.geocode), scopes != [.geocode] {
            body.mistake("scopes", "has geocode, which goes with no other scope")
        }
        let usual = GeocodingManners.usual
        let waits = GeocodingManners.waits
        let wait = body.number(
            "wait_seconds", in: waits.lowerBound / .seconds(1)...waits.upperBound / .seconds(1),
            "How long a request at a door waits for a call. For the scope geocode, as the next three.", example: 0.8
        )
        let late = body.choice(
            "when_late", of: GeocodingManners.Late.allCases, "What a request gets after that.", usual: usual.late)
        let left = body.choice(
            "when_left", of: GeocodingManners.Left.allCases, "What becomes of the question of a client that left.",
            usual: usual.left)
        let relays = body.flag(
            "relays", "Requests at Nominatim's door are passed on to your Nominatim server, and its replies back.",
            usual: false)
        manners = GeocodingManners(
            wait: wait.map { .seconds($0) } ?? usual.wait, late: late ?? usual.late, left: left ?? usual.left,
            relays: relays ?? false)
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
