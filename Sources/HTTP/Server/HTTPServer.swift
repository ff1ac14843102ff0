/// An HTTP server.
///
///     let server = HTTPServer(options, router: router)
///     try await server.run { port in … }
///
/// A handler runs in a task of its own, which is cancelled when the client disconnects. The handler of a quick route runs
/// on the server's own thread, and all others on Swift's own threads. A handler must never block.
package struct HTTPServer: Sendable {
    package struct Options: Sendable {
        /// The IP address to listen on. `::` means every IPv4 and IPv6 address.
        package var address = "127.0.0.1"
        /// The port; 0 selects any free one.
        package var port = 0
        package var tls: ServerCertificate?
        /// The largest head of a request, in bytes. It also bounds the head of a response.
        var largestHead = 32 << 10
        /// The largest body of a request, in bytes. A handler that collects a body sets a smaller limit itself.
        package var largestBody = 64 << 20
        /// How long a connection may be silent, and how long the head of a request may take.
        package var idleLimit: Duration = .seconds(30)
        /// The time limit from the head of a request until its response begins, including reading the body.
        package var requestLimit: Duration = .seconds(300)
        /// The lowest average speed, in bytes a second, at which a client must read a response and send a body, after
        /// the idle limit is over. Time that the handler needs for them doesn't count.
        package var slowestClient = 4 << 10
        /// How long a client may go on sending a body that is dropped. Then it gets its response, and the connection
        /// is closed.
        package var unreadLimit: Duration = .seconds(5)
        /// The limits on connections. Above them a connection that waits for a stranger is closed for a new one, or else
        /// a quiet one. If there is neither, only routes that are always answered are served, and other requests are
        /// refused.
        package var connections = 1_024
        /// The connections of one IPv4 address, or of one network of 64 bits.
        package var connectionsPerClient = 256
        /// Behind a trusted proxy, the limit per client counts requests under way of each client that the proxy names.
        package var trustedProxies: TrustedProxies?
        /// The sites whose pages may read responses.
        package var allowedOrigins: AllowedOrigins?
        /// How many connections above the limit may wait for such a refusal or response.
        package var reserve = 32
        /// How long a connection must have waited for its client before it may be closed for a new one.
        package var quietBeforeLeaving: Duration = .seconds(1)
        /// How long running requests may take to end when the server stops.
        package var stopLimit: Duration = .seconds(10)

        package init() {}
    }

    let options: Options
    let router: Router
    let errorResponse: ErrorResponse
    let failed: @Sendable (any Error, Router.Route) -> Void
    let log: @Sendable (AccessEntry) -> Void

    /// Makes the response to a request that no handler answers. `target` is the request target as it was sent.
    /// `acceptsHTML` is true if a browser will show the response to a person.
    package typealias ErrorResponse =
        @Sendable (_ status: Int, _ sentence: String, _ target: [UInt8], _ acceptsHTML: Bool) -> ServerResponse

    /// `errorResponse` makes the response if no handler does. `failed` gets the error that a handler threw; the client
    /// only gets a 500. `log` gets each finished request. It is called on the server's only thread, so it must not
    /// block.
    package init(
        _ options: Options = Options(), router: Router,
        errorResponse: @escaping ErrorResponse = HTTPServer.plainErrorResponse,
        failed: @escaping @Sendable (any Error, Router.Route) -> Void = { _, _ in },
        log: @escaping @Sendable (AccessEntry) -> Void = { _ in }
    ) {
        self.options = options
        self.router = router
        self.errorResponse = errorResponse
        self.failed = failed
        self.log = log
    }

    static let plainErrorResponse: ErrorResponse = { status, sentence, _, _ in
        ServerResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(Array((sentence + "\n").utf8)))
    }

    /// Serves until the task is cancelled, and then shuts down in order. New connections are refused, and running
    /// requests may end within the limit. Endless responses end at once, and all others are cut at the limit. A handler
    /// that ignores its cancellation is not waited for: its task goes on, and its response is dropped.
    package func run(ready: @Sendable (_ port: Int) -> Void = { _ in }) async throws {
        let socket = try ListeningSocket(options.address, port: options.port)
        let loop = try ServerLoop(self, on: socket)
        try loop.start()
        ready(socket.port)
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        // This task is cancelled, so a new task stops the loop.
        await Task { await loop.stop() }.value
    }
}

/// The reason why a server could not start.
package struct ServerError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

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
