import Geocoding
import HTTP
import Operations
import Postgres

extension APIServer {
    /// Answers a request, or says why not. What is thrown means that there is nobody left to answer.
    func answer(_ request: ServerRequest, by route: APIRoute) async throws -> ServerResponse {
        do {
            var response = try await carryOut(request, by: route)
            response.headers["X-Content-Type-Options"] = "nosniff"
            return validated(response, for: request)
        } catch {
            return try route.form.response(refusal(for: error, at: route.pattern))
        }
    }

    private func carryOut(_ request: ServerRequest, by route: APIRoute) async throws -> ServerResponse {
        let texts = request.path + request.query.flatMap { [$0.name, $0.value] }
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw Refusal.invalid(parameters: [.init(field: "path", detail: "has the character U+0000")])
        }
        switch route.entrance {
        case .anyone(let handler): return try await handler(request)
        case .whoever(let scope, let handler):
            let caller = try await caller(of: request)
            guard caller.scopes.contains(scope) else {
                throw Refusal.forbidden(
                    "The token lacks the scope \(scope.rawValue).",
                    headers: ["WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""])
            }
            guard route.isRemembered, let memory = backend.memory, let key = request.headers["Idempotency-Key"],
                request.method != .get, request.method != .head
            else { return try await handler(APIRequest(http: request, caller: caller, body: request.body)) }
            return try await once(request, key, by: route, handler, for: caller, memory)
        }
    }

    /// Answers a request that names a key, unless the same was answered before.
    private func once(
        _ request: ServerRequest, _ key: String, by route: APIRoute, _ handler: @escaping APIRoute.Handler,
        for caller: Caller, _ memory: any RequestMemory
    ) async throws -> ServerResponse {
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Refusal.invalid(parameters: [
                .init(field: "Idempotency-Key", detail: "is not 1 to 255 visible characters of ASCII")
            ])
        }
        let body = try await request.body.collect(upTo: APIRequest.longestBody)
        let asked = APIRequest(http: request, caller: caller, body: RequestBody(body))
        // Lengths are no part of it: neither a method nor a segment of a path has a zero byte.
        let identity = ([request.method.rawValue] + request.path).flatMap { Array($0.utf8) + [0] } + body
        let digest = SHA256.digest(of: identity).flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
        }
        return try await memory.once(key, caller: caller, digest: digest) {
            do {
                return try await handler(asked)
            } catch let refusal as Refusal {
                return route.form.response(refusal)
            }
        }
    }

    /// Lets a client keep what it has: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
    private func validated(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
        var response = response
        guard response.status == 200, request.method == .get || request.method == .head,
            case .bytes(let body) = response.body
        else {
            response.headers["Cache-Control"] = "no-store"
            return response
        }
        let tag = ETag.of(body)
        response.headers["ETag"] = tag
        // Each answer is for one account, and is asked for anew each time.
        response.headers["Cache-Control"] = "private, no-cache"
        guard ETag.isKnown(tag, by: request) else { return response }
        response.status = 304
        response.body = .bytes([])
        response.headers["Content-Type"] = nil
        return response
    }

    /// What to tell the client about an error. Statements and numbers of lines stay in the log.
    private func refusal(for error: any Error, at pattern: String) throws -> Refusal {
        switch error {
        case let refusal as Refusal: return refusal
        case BodyError.tooLong(let limit): return .tooLong(limit: limit)
        case BodyError.brokenOff, is CancellationError: throw error
        case RepeatedRequest.isUnderWay:
            return Refusal(
                status: 409, detail: "A request with this Idempotency-Key is being answered.", monicaCode: 41)
        case RepeatedRequest.isAnother:
            return .invalid(fields: [
                .init(field: "Idempotency-Key", detail: "came with another request before; take a new one")
            ])
        case let error as DatabaseError where error.isConnectionLost || error.isWorthRetrying:
            backend.log.warning("database away", ["route": pattern, "error": error.message])
            return .databaseIsAway
        default:
            let id = String(UInt64.random(in: .min ... .max), radix: 36)
            backend.log.error("request failed", ["id": id, "route": pattern, "error": "\(error)"])
            return .failed(id: id)
        }
    }
}
