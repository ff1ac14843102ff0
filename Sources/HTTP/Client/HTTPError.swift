/// Why there was no answer at all. An answer with a bad status is an ``HTTPResponse``.
///
/// It names the host and what failed. Path, query, headers and body hold addresses and keys, and are in no error.
package struct HTTPError: Error, Hashable {
    package enum Kind: Sendable {
        /// No connection: the name is unknown, the connection refused, or nobody answered in time.
        case unreachable
        /// Its address is not of the public Internet, and the client is not permitted to go anywhere else.
        case forbidden
        /// The server could not prove who it is, or speaks no TLS that we accept.
        case untrusted
        /// The answer was not there within the limit.
        case late
        /// The answer is larger than permitted.
        case tooLarge
        /// The connection broke, or what came is not HTTP.
        case broken
        /// It redirects where we don't follow.
        case redirected
        /// It has another address now, and a redirect would be a second call.
        case moved
        /// It would have left too late, and did not leave.
        case missed
        /// The request itself can't be sent: a header with a line break.
        case unsendable
        /// Our task was cancelled.
        case cancelled
        /// The client was closed.
        case closed
    }

    package let kind: Kind
    /// With its port, where that is not the usual one.
    package let host: String
    package let reason: String
}

extension HTTPError: CustomStringConvertible {
    package var description: String { "\(host): \(reason)" }
}
