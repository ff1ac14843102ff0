package import HTTP
import JSON
package import Tracking

/// Firebase's service for tokens: https://firebase.google.com/docs/reference/rest/auth#section-refresh-token
package struct FirebaseSignIn: HTTPCaller {
    package let http: HTTPClient
    package let server: HTTPURL
    private let apiKey: Secret

    package static let publicServer = HTTPURL(known: "https://securetoken.googleapis.com")

    /// `apiKey` is the project's key for apps ("Web API key").
    package init(apiKey: String, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.apiKey = Secret(apiKey)
        self.http = http
        self.server = server
    }

    /// Returns a new token for the same user, and a new refresh token.
    ///
    /// This is not a call of a lane, so it is sent at once. Throws ``SinkError/unauthorized(reason:)`` if the user must
    /// sign in again.
    package func refresh(_ auth: FirebaseAuth, now: Double) async throws(SinkError) -> FirebaseAuth {
        let url = server.appending(path: "v1", "token").appending(query: ["key": apiKey.text])
        // The body of a form has the same format as a query.
        let form = HTTPURL(known: "http://form/")
            .appending(query: ["grant_type": "refresh_token", "refresh_token": auth.refreshToken])
        let body = form.text.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        let request = HTTPRequest(
            .post, url, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(body))
        let response = try await answer(to: request)
        guard response.status == 200 else { throw error(response) }
        return try renewed(auth, by: response, now: now)
    }

    private func answer(to request: HTTPRequest) async throws(SinkError) -> HTTPResponse {
        // A call with a departure follows no redirect, so the token reaches no other server.
        do { return try await http.send(request, departure: Departure()) } catch { throw SinkError(error, "Firebase") }
    }

    private func renewed(_ auth: FirebaseAuth, by response: HTTPResponse, now: Double) throws(SinkError) -> FirebaseAuth
    {
        let members = (try? JSONValue(parsing: response.body))?.object ?? [:]
        guard let idToken = members["id_token"]?.text, let refreshToken = members["refresh_token"]?.text,
            let lifetime = members["expires_in"]?.number, !idToken.isEmpty, !refreshToken.isEmpty, lifetime > 0,
            // A longer one would be a moment that PostgreSQL cannot store.
            lifetime <= 366 * 86_400
        else { throw .unavailable(reason: "Firebase replied in an unexpected format") }
        let userId = members["user_id"]?.text ?? auth.userId
        guard auth.userId.isEmpty || userId == auth.userId else {
            throw .unauthorized(reason: "the refresh token is another user's")
        }
        return FirebaseAuth(
            userId: userId, idToken: idToken, refreshToken: refreshToken, expiresAt: now + lifetime)
    }

    private func error(_ response: HTTPResponse) -> SinkError {
        let fault = GoogleFault(response)
        // Some of them are followed by a sentence: `TOKEN_EXPIRED : …`.
        let word = String(fault.message.prefix { $0.isUppercase || $0 == "_" })
        let reason = "Firebase answered \(response.status)"
        return switch response.status {
        case 400 where Self.ends.contains(word): .unauthorized(reason: "\(reason) \(word): the user must sign in again")
        case 400 where word == "TOO_MANY_ATTEMPTS_TRY_LATER", 429: .busy(retryAfter: response.pause)
        case 400 where fault.isOfProject || fault.message.hasPrefix("API key"), 401:
            .denied(reason: "\(reason): it does not accept the API key")
        case 403 where fault.status != nil: .denied(reason: "\(reason): the API key may not be used for this")
        case 404 where fault.status != nil: .denied(reason: reason)
        default: .unavailable(reason: reason)
        }
    }

    /// Errors that only a new sign-in can solve.
    private static let ends: Set<String> = [
        "TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN", "MISSING_REFRESH_TOKEN",
        "PROJECT_NUMBER_MISMATCH", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
    ]
}
