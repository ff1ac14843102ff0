package import Processes

/// A client's request to our server.
package struct ServerRequest: Sendable {
    /// Random. The response has it as `Request-Id`, and the log lines about this request have it too.
    package let id: String
    package let method: Method
    /// The segments of the path, percent-decoded: `["v1", "friends", "7"]`.
    package let path: [String]
    /// The items of the query in their order, percent-decoded.
    package var query: [(name: String, value: String)]
    package var headers: HTTPHeaders
    package var body: RequestBody
    /// The values of the `{names}` in the route's pattern.
    package var parameters: [String: String] = [:]
    /// True if the connection came in on a loopback address.
    package let isOverLoopback: Bool
    /// True if a trusted proxy forwards the request.
    package let isOverTrustedProxy: Bool
    /// True if the connection uses TLS.
    package let isOverTLS: Bool
    /// The handler sets it for a valid token. If connections are scarce, those of strangers are
    /// closed first.
    package let isAuthenticated: Locked<Bool>

    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    package init(
        _ method: Method, path: [String], query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:],
        body: RequestBody = RequestBody([]), isOverLoopback: Bool = true, isOverTLS: Bool = false,
        isOverTrustedProxy: Bool = false, isAuthenticated: Locked<Bool> = Locked(false), id: String = newID()
    ) {
        self.id = id
        self.isOverTrustedProxy = isOverTrustedProxy
        self.isAuthenticated = isAuthenticated
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isOverLoopback = isOverLoopback
        self.isOverTLS = isOverTLS
    }

    static func newID() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    /// The first value of this name in the query.
    package func query(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
