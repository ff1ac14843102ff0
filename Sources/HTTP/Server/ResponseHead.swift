import Glibc

/// The head of a response, as it is sent.
struct ResponseHead {
    private var lines: [UInt8] = []

    init(status: Int, date: String) {
        lines.reserveCapacity(512)
        lines += "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\nDate: \(date)\r\n".utf8
    }

    /// The head with the empty line that ends it.
    var bytes: [UInt8] { lines + [13, 10] }

    mutating func add(_ name: String, _ value: String) {
        lines += name.utf8
        lines += ": ".utf8
        lines += value.utf8
        lines += "\r\n".utf8
    }

    /// Adds the headers except those that only the server sets.
    mutating func add(_ headers: HTTPHeaders) {
        for field in headers.fields where !Self.own.contains(where: field.isNamed) { add(field.name, field.value) }
    }

    private static let own = ["Content-Length", "Transfer-Encoding", "Connection", "Date", "Request-Id"]

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        417: "Expectation Failed", 422: "Unprocessable Content", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage",
    ]

    static func date(_ second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { text in
            guard let start = text.baseAddress else { return "" }
            strftime(start, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: start)
        }
    }
}
