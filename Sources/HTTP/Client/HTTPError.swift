/// The reason why a request got no response. A response with a bad status is an ``HTTPResponse``.
///
/// It names the host and the failure. Path, query, headers and body contain addresses and keys, so no error contains
/// them.
package struct HTTPError: Error, Hashable {
    package enum Kind: Sendable {
        /// No connection: the name is unknown, the connection was refused, or timed out.
        case unreachable
        /// The server's address is not on the public Internet, and the client may not connect to others.
        case forbidden
        /// The server's certificate is not valid, or the server has no TLS version that we accept.
        case untrusted
        /// The response was not complete within the limit.
        case late
        /// The response is larger than permitted.
        case tooLarge
        /// The connection broke, or the response is not HTTP.
        case broken
        /// The server redirects to a place that we don't follow.
        case redirected
        /// The server has moved, and following the redirect would be a second call.
        case moved
        /// The slot had ended, so the request was not sent.
        case missed
        /// The request itself can't be sent: a header with a line break.
        case unsendable
        /// Our task was cancelled.
        case cancelled
        /// The client was closed.
        case closed
    }

    package let kind: Kind
    /// The host, with its port if that is not the default.
    package let host: String
    package let reason: String
    /// The host to which a redirect leads that was not followed.
    package var target: String?
}

extension HTTPError: CustomStringConvertible {
    package var description: String { "\(host): \(reason)" }
}
