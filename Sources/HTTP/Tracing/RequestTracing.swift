extension Tracer {
    /// Makes a span for each request that a client sends inside a trace. With `handsOn`, it also sends the trace
    /// context to the server.
    ///
    /// Only our own servers get the context, because strangers must not learn which requests belong together.
    package func witness(handsOn: Bool) -> HTTPClient.Witness {
        { [self] request in
            guard let parent = TraceScope.current, parent.isSampled else { return (request, { _ in }) }
            let context = parent.sibling()
            let (departure, begun) = (Departure.current, ContinuousClock.now)
            var handed = request
            if handsOn {
                handed.headers["traceparent"] = context.traceparent
                handed.headers["tracestate"] = context.state.isEmpty ? nil : context.state
            }
            return (
                handed,
                { result in
                    // The call missed its slot, so no request was sent.
                    if let departure, departure.leftAt == nil { return }
                    var span = Span(
                        request.method.rawValue, .client, context, under: parent,
                        from: departure?.leftAt ?? begun, attributes: Self.attributes(of: request))
                    switch result {
                    case .success(let response):
                        span.attributes.append(("http.response.status_code", .number(response.status)))
                        span.hasFailed = response.status >= 400
                        if span.hasFailed { span.attributes.append(("error.type", .text("\(response.status)"))) }
                    case .failure(let error):
                        span.attributes.append(("error.type", .text("\(error.kind)")))
                        span.hasFailed = true
                    }
                    self.record([span])
                }
            )
        }
    }

    /// https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client-span without `url.full`, because it
    /// contains the address that is searched for.
    private static func attributes(of request: HTTPRequest) -> [(name: String, value: Span.Value)] {
        [
            ("http.request.method", .text(request.method.rawValue)), ("server.address", .text(request.url.host)),
            ("server.port", .number(request.url.port)), ("url.scheme", .text(request.url.scheme)),
        ]
    }
}
