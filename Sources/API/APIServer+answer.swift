import Access
import Geocoding
import HTTP
import Locations
import Postgres
import Processes
import Queue

extension APIServer {
    /// Answers a request, if necessary with an error. It throws if the client is gone.
    func answer(_ request: ServerRequest, by route: APIRoute) async throws -> ServerResponse {
        guard let tracer = backend.tracer, route.traits.isDisjoint(with: [.health, .metrics]) else {
            return try await answer(untraced: request, by: route)
        }
        return try await tracer.answer(request, by: route) { try await answer(untraced: request, by: route) }
    }

    private func answer(untraced request: ServerRequest, by route: APIRoute) async throws -> ServerResponse {
        do {
            var response =
                if route.waitsForDatabase {
                    try await backend.watch.whileThere { try await carryOut(request, by: route) }
                } else {
                    try await carryOut(request, by: route)
                }
            response.headers["X-Content-Type-Options"] = "nosniff"
            response.headers["Request-Id"] = request.id
            return try await fitted(response, to: request)
        } catch {
            let refusal = try answer(for: error, to: request, at: route.pattern)
            var response: ServerResponse
            if request.headers.acceptsHTML, let page = backend.errorPage {
                response = page(refusal.status, refusal.everything)
                for field in refusal.headers.fields { response.headers[field.name] = field.value }
            } else {
                response = route.form.response(refusal)
            }
            response.headers["Request-Id"] = request.id
            return response
        }
    }

    private func carryOut(_ request: ServerRequest, by route: APIRoute) async throws -> ServerResponse {
        let texts = request.path + request.query.flatMap { [$0.name, $0.value] }
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw RequestError.invalid(parameter: "path", "has the character U+0000")
        }
        guard let decoded = request.decoded(upTo: Self.largestBody) else { throw RequestError.unknownCoding }
        var request = route.traits.contains(.phone) ? decoded.withPhonesToken() : decoded
        request.parameters = request.parameters.mapValues { Normalization.composed($0) }
        switch route.entrance {
        case .anyone(let handler): return try await handler(request)
        case .whoever(let scope, let handler):
            let memory = route.needsOnlyCaller ? route.traits.contains(.metrics) ? scrapers : suggesters : nil
            request.isAuthenticated.withLock { $0 = false }
            let caller = try await caller(of: request, remembering: memory)
            request.isAuthenticated.withLock { $0 = true }
            do {
                guard caller.scopes.contains(scope) else { throw RequestError.missingScope(scope) }
                if let user = caller.user, !route.isOpen(toUser: user, request) {
                    throw RequestError.forbidden("The token is good for one user's tracker, and for nothing else.")
                }
                var response = try await handler(asked(request, by: caller, of: route))
                if route.isOfWriters, backend.standby != nil {
                    response.headers[Self.positionHeader] = "\(await backend.position(of: caller.account))"
                }
                backend.share(of: route).note(caller.account, in: &response.headers)
                return response
            } catch {
                var known = try answer(for: error, to: request, at: route.pattern)
                backend.share(of: route).note(caller.account, in: &known.headers)
                throw known
            }
        }
    }

    /// The response with its tag, compressed with gzip if the client prefers that.
    private func fitted(_ response: ServerResponse, to request: ServerRequest) async throws -> ServerResponse {
        var response = response
        let isRead = response.status == 200 && (request.method == .get || request.method == .head)
        if isRead, case .bytes(let body) = response.body {
            // A response with more columns than usual already has a tag from its handler.
            response.headers["ETag"] = response.headers["ETag"] ?? ETag.of(body).text
            // Each response is for one account, and most may change at any time.
            response.headers["Cache-Control"] = response.headers["Cache-Control"] ?? "private, no-cache"
        } else {
            response.headers["Cache-Control"] = "no-store"
        }
        let packs = response.gainsFromGzip && request.acceptsGzip
        if packs { response.headers["ETag"] = response.headers["ETag"].map(ServerResponse.tagOfGzip) }
        if response.gainsFromGzip { response.headers["Vary"] = "Accept-Encoding" }
        if isRead, let tag = response.headers["ETag"] {
            switch try Conditions(request.headers).status(ofReading: tag) {
            case 412: throw RequestError.preconditionFailed
            case 304: return notModified(response)
            default: break
            }
        }
        return packs ? await response.gzippedElsewhere() : response
    }

    /// Tells the client that its copy is current: https://www.rfc-editor.org/rfc/rfc9110#section-13
    private func notModified(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.status = 304
        response.body = .bytes([])
        response.headers["Content-Type"] = nil
        return response
    }

    /// The error for the client. SQL statements and internal details are only logged.
    func answer(
        for error: any Error, to request: ServerRequest, at pattern: String
    ) throws -> RequestError {
        switch error {
        case let error as RequestError: return error
        case let error as AccountIsBusy: return RequestError(error)
        case BodyError.tooLong(let limit): return .tooLong(limit: limit)
        case BodyError.notGzip: return .notGzip
        case BodyError.brokenOff, is CancellationError: throw error
        case is FixWriter.Overload: return .tooManyFixes
        case let error as QueueError: return RequestError(error)
        case let error as DatabaseError where error.isOfMissingRole:
            backend.log.error("can't steer the cluster: run 'waypost migrate' as the owner", ["error": error.message])
            return .onlyShows
        case let error as DatabaseError where error.isOverTime: return .tookTooLong(limit: backend.requestLimit)
        case let error as DatabaseError where error.isConnectionLost || error.isWorthRetrying:
            backend.log.warning("database away", ["route": pattern, "error": error.message])
            return .databaseIsAway
        case let error as DatabaseError where error.isShortOfResources:
            backend.log.error("the database lacks something", ["route": pattern, "error": error.message])
            return .databaseLacksSomething
        default:
            backend.log.error("request failed", ["id": request.id, "route": pattern, "error": "\(error)"])
            return .failed(id: request.id)
        }
    }
}

extension RequestError {
    static func missingScope(_ scope: AccessScope) -> Self {
        forbidden(
            "The token lacks the scope \(scope.rawValue).",
            headers: ["WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""],
            reason: .insufficientScope)
    }
}

extension Tracer {
    /// Answers a request in a span of its own, which belongs to the client's trace.
    ///
    /// It follows the conventions for servers, but without the path and the query, which contain names and numbers of
    /// contacts:
    /// https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server-span
    func answer(
        _ request: ServerRequest, by route: APIRoute, _ body: () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        // Two headers are ignored, because it is unclear which one is meant.
        let parents = request.headers.values("traceparent")
        let parent =
            parents.count == 1
            ? SpanContext(traceparent: parents[0], tracestate: request.headers.values("tracestate")) : nil
        return try await trace(
            "\(request.method.rawValue) \(route.pattern)", .server, under: parent, isParentRemote: parent != nil,
            attributes: [
                ("http.request.method", .text(request.method.rawValue)), ("http.route", .text(route.pattern)),
                ("url.scheme", .text(request.isOverTLS ? "https" : "http")),
            ],
            body
        ) { span, result in
            guard case .success(let response) = result else { return }
            span.attributes.append(("http.response.status_code", .number(response.status)))
            // A client's mistake is not a failure of the server.
            guard response.status >= 500 else { return }
            span.hasFailed = true
            span.attributes.append(("error.type", .text("\(response.status)")))
        }
    }
}

/// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
extension FairShare {
    /// Adds the account's limit of simultaneous requests, and how many more it could send now.
    func note(_ account: Int, in headers: inout HTTPHeaders) {
        guard headers["RateLimit"] == nil else { return }
        headers["RateLimit-Policy"] = limits.policy
        headers["RateLimit"] = "\"account\";r=\(placesLeft(of: account))"
    }
}

extension RequestError {
    init(_ error: AccountIsBusy) {
        let seconds = max(1, Int((error.pause / .seconds(1)).rounded(.up)))
        self.init(
            status: 429,
            detail:
                "The account has more requests under way than can be answered soon; send fewer at once, and this again later.",
            headers: [
                "Retry-After": "\(seconds)", "RateLimit-Policy": error.limits.policy,
                "RateLimit": "\"account\";r=0;t=\(seconds)",
            ])
    }
}

extension Shares.Limits {
    fileprivate var policy: String { "\"account\";q=\(placesOfAccount);qu=\"concurrent-requests\"" }
}
