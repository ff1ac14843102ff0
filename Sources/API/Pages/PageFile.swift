import Formats
import HTTP

/// A file of our pages, ready to be sent: with a tag, so that a browser loads it once, and compressed in advance.
struct PageFile: Sendable {
    private let plain: ServerResponse
    private let packed: ServerResponse
    private let tag: String

    /// `picturesFrom`: another origin whose pictures the page may show.
    init(_ name: String, picturesFrom origin: String? = nil) {
        let bytes = Array(PageAsset.bytes(name))
        tag = "\"\(Digest.identifier(of: bytes))\""
        var headers = Self.headers
        headers["Content-Type"] = Self.type(of: name)
        headers["Content-Security-Policy"] = Self.policy(picturesFrom: origin)
        plain = ServerResponse(status: 200, headers: headers, body: .bytes(bytes))
        packed = plain.gainsFromGzip ? plain.gzipped() : plain
    }

    func response(to request: ServerRequest) -> ServerResponse {
        let isPacked = plain.gainsFromGzip && request.acceptsGzip
        var response = isPacked ? packed : plain
        let tag = isPacked ? ServerResponse.tagOfGzip(tag) : tag
        response.headers["ETag"] = tag
        // Weak comparison, because proxies that compress make a tag weak.
        let known = request.headers.values("If-None-Match").joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        guard known.contains(where: { $0 == tag || $0 == "W/" + tag }) else { return response }
        response.status = 304
        response.body = .bytes([])
        response.headers["Content-Encoding"] = nil
        return response
    }

    /// An error page in place of the requested one: `PageAsset` error.html with these texts.
    static func error(_ status: Int, title: String, sentence: String) -> ServerResponse {
        let html = PageAsset.text("error.html").replacing("{title}", with: escaped(title))
            .replacing("{sentence}", with: escaped(sentence))
        var headers = headers
        headers["Content-Type"] = type(of: "error.html")
        headers["Content-Security-Policy"] = policy(picturesFrom: nil)
        headers["Cache-Control"] = "no-store"
        return ServerResponse(status: status, headers: headers, body: .bytes(Array(html.utf8)))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    /// Scripts and data of a page come only from this server, and no other site may show the page in a frame.
    private static func policy(picturesFrom origin: String?) -> String {
        let pictures = ["'self'", "data:", origin].compactMap(\.self).joined(separator: " ")
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(pictures); connect-src 'self'; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    /// The map service must not learn the page's URL, because it may contain the place that is shown.
    private static let headers: HTTPHeaders = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Vary": "Accept-Encoding",
    ]

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        default: "text/plain; charset=utf-8"
        }
    }
}
