package import HTTP
package import Tracking

/// Firebase's service for tokens: https://firebase.google.com/docs/reference/rest/auth#section-refresh-token
package struct FirebaseSignIn: HTTPCaller {
    package let http: HTTPClient
    package let server: HTTPURL
    let apiKey: String

    /// A new token for the same user, and what the next one is given for.
    ///
    /// It is no call of a lane: it leaves at once. Throws ``SinkError/unauthorized(reason:)`` where the user must sign in again.
    package func refresh(_ auth: FirebaseAuth, now: Double) async throws(SinkError) -> FirebaseAuth {
        throw .unavailable(reason: "not built yet")
    }
}
