/// What an access log may say of a request: nothing of its path, query, headers or body, for there are addresses and keys.
package struct AccessEntry: Sendable {
    /// As ``ServerRequest/id``.
    package var id = ""
    /// Nil for a method that we don't know, or where the request could not be read.
    package let method: ServerRequest.Method?
    /// The pattern of the route that answered. Nil where none did.
    package let route: String?
    /// Nil where there was no answer of ours.
    package let status: Int?
    /// Of the answer's body, as far as it went out.
    package let bytes: Int
    package let duration: Duration
    /// True where the client did not get all of the answer.
    package let wasCutOff: Bool
}
