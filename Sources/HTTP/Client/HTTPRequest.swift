/// An HTTP request to a server.
package struct HTTPRequest: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var method: Method
    package var url: HTTPURL
    package var headers: HTTPHeaders
    package var body: [UInt8]?

    package init(_ method: Method, _ url: HTTPURL, headers: HTTPHeaders = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// Safe for a log: the path, query and headers, which contain the address and the key, are left out.
    package var description: String { "\(method.rawValue) \(url)" }
}
