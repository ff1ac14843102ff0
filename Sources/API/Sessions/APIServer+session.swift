import Access
package import HTTP
import JSON

/// Authenticates a person's browser with a cookie: https://www.rfc-editor.org/rfc/rfc6265
///
/// A token is entered once. The browser then keeps only a session of the token, which no script can read.
extension APIServer {
    /// The three routes of sessions. They are for our own pages, and not part of the public API.
    package func addSessions(to router: inout Router) {
        for route in [
            APIRoute(.get, "/session", anyone: session), APIRoute(.post, "/sign-in", anyone: beginSession),
            APIRoute(.post, "/sign-out", anyone: endSession),
        ] {
            router.add(route.method, route.pattern) { try await answer($0, by: route) }
        }
    }

    /// The caller of the cookie's session; nil without a cookie, or if the session is over.
    func caller(bySessionOf request: ServerRequest) async throws -> Caller? {
        guard let secret = request.sessionSecret,
            let caller = try await sessions.caller(keeping: secret, on: backend.strangers)
        else { return nil }
        try refuseOtherOrigins(request)
        return caller
    }

    /// `GET /session`: the browser's account, or null without a session.
    private func session(_ request: ServerRequest) async throws -> ServerResponse {
        let caller: Caller?
        do { caller = try await self.caller(of: request) } catch let error as RequestError where error.status == 401 {
            caller = nil
        }
        return .json { json in
            json.object { json in
                json.member("account", caller?.accountName)
                json.list("scopes", AccessScope.allCases.filter { caller?.scopes.contains($0) == true }) {
                    $0.value($1.rawValue)
                }
                json.member("is_signed_in", caller?.token != nil)
                guard caller != nil, let tiles = backend.mapTiles else { return }
                json.object("map_tiles") { json in
                    json.member("template", tiles.template)
                    json.member("attribution", tiles.attribution)
                }
            }
        }
    }

    /// `POST /sign-in`, from a form: sets the cookie, and redirects to the requested page.
    private func beginSession(_ request: ServerRequest) async throws -> ServerResponse {
        try refuseOtherOrigins(request)
        guard request.hasContentType("application/x-www-form-urlencoded"),
            let fields = try await FormBody.fields(request.body.collect(upTo: 4_096))
        else {
            throw RequestError(status: 415, detail: "The body must be a form with the field token.")
        }
        let text = fields.first { $0.name == "token" }?.value.filter { !$0.isWhitespace } ?? ""
        let page = Self.ownPage(fields.first { $0.name == "next" }?.value)
        guard let token = TokenText(text),
            let secret = try await backend.strangers.run({ [sessions] in try sessions.begin(token, on: $0) })
        else { return Self.redirect(to: "/sign-in?wrong") }
        var response = Self.redirect(to: page)
        response.headers["Set-Cookie"] = Self.cookie(
            secret, seconds: Int(SessionStore.lifetime.components.seconds), isSecure: request.isOverTLS)
        return response
    }

    /// `POST /sign-out`
    private func endSession(_ request: ServerRequest) async throws -> ServerResponse {
        try refuseOtherOrigins(request)
        if let secret = request.sessionSecret { try await sessions.end(secret, on: backend.strangers) }
        var response = Self.redirect(to: "/sign-in")
        response.headers["Set-Cookie"] = Self.cookie("", seconds: 0, isSecure: request.isOverTLS)
        return response
    }

    /// A browser sends a cookie with every request, whichever page caused it. `SameSite` excludes other sites, but
    /// another port of this host is the same site. Browsers send the origin in one of two headers:
    /// https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
    private func refuseOtherOrigins(_ request: ServerRequest) throws {
        let isReading = request.method == .get || request.method == .head
        let isOwn =
            switch request.headers["Sec-Fetch-Site"] {
            case "same-origin": true
            case "none": isReading
            case nil: isReading || isFromOwnOrigin(request)
            default: false
            }
        guard isOwn else { throw RequestError.forbidden("Only pages of this server may use its sessions.") }
    }

    private func isFromOwnOrigin(_ request: ServerRequest) -> Bool {
        guard let origin = request.headers["Origin"], let host = request.headers["Host"], !host.isEmpty else {
            return false
        }
        return ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
    }

    /// A path of this server, so that a link to us can't redirect a person to another site.
    private static func ownPage(_ path: String?) -> String {
        guard let path, path.wholeMatch(of: #/\/([A-Za-z0-9][A-Za-z0-9\/_.:-]*)?/#) != nil else { return "/" }
        return path
    }

    private static func redirect(to path: String) -> ServerResponse {
        ServerResponse(status: 303, headers: ["Location": path])
    }

    private static func cookie(_ secret: String, seconds: Int, isSecure: Bool) -> String {
        "waypost_session=\(secret); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension ServerRequest {
    /// The value of the cookie, if it may be a session's secret.
    var sessionSecret: String? {
        let pairs = headers.values("Cookie").flatMap { $0.split(separator: ";") }
        let values = pairs.compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix("waypost_session=") ? pair.dropFirst("waypost_session=".count) : nil
        }
        guard let value = values.first, values.count == 1, value.utf8.count == 43 else { return nil }
        return String(value)
    }
}
