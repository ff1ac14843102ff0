import HTTP

extension Tracer {
    /// Answers a request in a span of its own, which belongs to the client's trace.
    ///
    /// It follows the conventions for servers, but without the path and the query, which contain names and numbers of
    /// contacts:
    /// https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server-span
    func answer(
        _ request: ServerRequest, by route: APIRoute, _ body: () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        // Two headers are ignored, because it is unclear which one is meant.
        let parents = request.headers.values("traceparent")
        let parent =
            parents.count == 1
            ? SpanContext(traceparent: parents[0], tracestate: request.headers.values("tracestate")) : nil
        return try await trace(
            "\(request.method.rawValue) \(route.pattern)", .server, under: parent, isParentRemote: parent != nil,
            attributes: [
                ("http.request.method", .text(request.method.rawValue)), ("http.route", .text(route.pattern)),
                ("url.scheme", .text(request.isOverTLS ? "https" : "http")),
            ],
            body
        ) { span, result in
            guard case .success(let response) = result else { return }
            span.attributes.append(("http.response.status_code", .number(response.status)))
            // A client's mistake is not a failure of the server.
            guard response.status >= 500 else { return }
            span.hasFailed = true
            span.attributes.append(("error.type", .text("\(response.status)")))
        }
    }
}
