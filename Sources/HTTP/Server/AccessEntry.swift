/// One entry of the access log. It contains no path, query, headers or body, because they contain addresses and keys.
package struct AccessEntry: Sendable {
    /// Same as ``ServerRequest/id``.
    package var id = ""
    /// Nil for an unknown method, or if the request could not be read.
    package let method: ServerRequest.Method?
    /// The pattern of the route that answered; nil if there was none.
    package let route: String?
    /// Nil if the server sent no response.
    package let status: Int?
    /// How many bytes of the response's body were sent.
    package let bytes: Int
    package let duration: Duration
    /// True if the client did not receive the whole response.
    package let wasCutOff: Bool
}
