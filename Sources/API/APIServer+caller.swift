import Access
import HTTP
import Postgres
import Processes

extension APIServer {
    /// Authenticates the sender of a request. It is the account of the token or of the browser's session. Before the
    /// first token exists, it is any client on this machine.
    ///
    /// With a memory, a recent result is used while the database is unreachable. `bearer` finds the caller with a token,
    /// and `open` the one without.
    func caller(
        of request: ServerRequest, remembering memory: CallerMemory? = nil,
        bearer: (@Sendable (_ token: String) async throws -> Caller?)? = nil,
        open: (@Sendable () async throws -> Caller?)? = nil
    ) async throws -> Caller {
        let shown = request.headers.values("Authorization")
        if !shown.isEmpty {
            // With two headers, a proxy could check one and we the other.
            guard shown.count == 1, let token = bearerToken(in: shown[0]),
                let caller = try await find(
                    token, memory,
                    {
                        if let bearer { return try await bearer(token) }
                        return try await backend.tokens.authenticate(token, on: backend.strangers)
                    })
            else {
                throw RequestError.unauthenticated(
                    "The token is not valid here.", challenge: "Bearer error=\"invalid_token\"", reason: .invalidToken)
            }
            return caller
        }
        let cookies = request.headers.values("Cookie")
        if !cookies.isEmpty,
            let caller = try await find("\(cookies)", memory, { try await self.caller(bySessionOf: request) })
        {
            return caller
        }
        guard request.isOverLoopback, !isForwarded(request),
            let caller = try await find("", memory, open ?? backend.openCaller)
        else {
            throw RequestError.unauthenticated("Send a token: Authorization: Bearer …")
        }
        try refuseStrangePages(request)
        return caller
    }

    private func find(
        _ shown: String, _ memory: CallerMemory?, _ ask: @escaping @Sendable () async throws -> Caller?
    ) async throws -> Caller? {
        if let memory { try await memory.recall(shown, watch: backend.watch, ask) } else { try await ask() }
    }

    /// Returns whether a proxy forwards the request. Most proxies add a header; for the others the Host header must
    /// show it.
    private func isForwarded(_ request: ServerRequest) -> Bool {
        if request.isOverTrustedProxy { return true }
        let names: Set = ["forwarded", "x-real-ip", "via", "true-client-ip", "x-client-ip", "x-cluster-client-ip"]
        return request.headers.fields.lazy.map { $0.name.lowercased() }.contains {
            names.contains($0) || $0.hasPrefix("x-forwarded") || $0.hasPrefix("cf-")
        }
    }

    /// Returns whether this request, which was accepted as `caller`, would still be accepted.
    func isStill(_ caller: Caller, asking request: ServerRequest) async throws -> Bool {
        do { return try await self.caller(of: request) == caller } catch is RequestError, is AccountIsBusy {
            return false
        }
    }

    /// Without tokens, the attacker to keep out is a page in the user's own browser.
    ///
    /// A page can point its own host name at this machine, but then the Host header has that name. Any other page can
    /// send a form or a simple request here; its browser adds the page's origin. For an image, a script or a link the
    /// browser only adds that it comes from another site: https://www.w3.org/TR/fetch-metadata/
    private func refuseStrangePages(_ request: ServerRequest) throws {
        guard let host = request.headers["Host"], isLoopback(host) else {
            throw RequestError.forbidden(
                "Without a token, use http://localhost, 127.0.0.1 or [::1].")
        }
        guard let origin = request.headers["Origin"] else {
            guard request.headers["Sec-Fetch-Site"] != "cross-site" else { throw RequestError.strangePage }
            return
        }
        let parts = origin.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0] == "http:" || parts[0] == "https:", isLoopback(parts[1].drop { $0 == "/" })
        else { throw RequestError.strangePage }
    }

    /// Returns whether the host, with or without a port, is this machine.
    private func isLoopback(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && Int(digits: String(rest.dropFirst())) != nil
        }
    }

    /// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
    private func bearerToken(in header: String) -> String? {
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer", words[1].utf8.count <= 512 else { return nil }
        return String(words[1])
    }
}

extension RequestError {
    fileprivate static let strangePage = forbidden("Without a token only pages of this machine may send requests.")
}

/// Remembers recent callers of routes that need no database. So these routes work while the database is unreachable and
/// no token can be checked.
final class CallerMemory: Sendable {
    private let most: Int
    private static let lifetime: Duration = .seconds(3_600)

    private let known = Locked<[[UInt8]: (caller: Caller, until: ContinuousClock.Instant)]>([:])

    init(most: Int) {
        self.most = most
    }

    /// Returns the result of `ask`. While the database is unreachable, returns the last result for the same `shown`.
    func recall(
        _ shown: String, watch: DatabaseWatch<some Sendable>, _ ask: @escaping @Sendable () async throws -> Caller?
    ) async throws -> Caller? {
        let key = Digest.sha256(Array(shown.utf8))
        do {
            let caller = try await watch.whileThere(ask)
            known.withLock { known in
                known[key] = nil
                if known.count >= most { known = known.filter { $0.value.until > .now } }
                if let caller, known.count < most { known[key] = (caller, .now + Self.lifetime) }
            }
            return caller
        } catch {
            let isAway = watch.isAway || (error as? DatabaseError)?.isConnectionLost == true
            let isRefused = (error as? RequestError).map { $0.status < 500 } ?? false
            guard isAway, !isRefused, let found = known.withLock({ $0[key] }), found.until > .now else { throw error }
            return found.caller
        }
    }
}
