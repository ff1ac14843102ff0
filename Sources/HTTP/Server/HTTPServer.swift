import CMicrohttpd

/// Answers HTTP requests, with libmicrohttpd.
///
///     let server = HTTPServer(options, router: router)
///     try await server.run { port in … }
///
/// A handler runs in a task of its own, which is cancelled when the client goes away. It begins on the server's own
/// thread and leaves it where it first waits: so an answer that is there at once costs no hop between threads. What holds
/// for Swift's own threads holds there: a handler never blocks.
package struct HTTPServer: Sendable {
    package struct Options: Sendable {
        /// In digits. `::` is every address of both kinds.
        package var address = "127.0.0.1"
        /// 0 for any that is free.
        package var port = 0
        package var tls: ServerCertificate?
        /// What a connection may hold: of a request all that comes before the body, of an answer the head. In bytes.
        package var largestHead = 32 << 10
        /// In bytes. What a handler collects, it limits further by itself.
        package var largestBody = 64 << 20
        /// How long a connection may be silent, and how long it may take over the head of a request.
        package var idleLimit: Duration = .seconds(30)
        /// From the head of a request until its answer begins, the reading of the body included.
        package var requestLimit: Duration = .seconds(300)
        /// How fast a client must take an answer on the average, in bytes a second, once it has had the idle limit to begin.
        /// What the handler takes to write it doesn't count.
        package var slowestReading = 4 << 10
        /// Beyond these, and where no connection is quiet, only routes that are always answered are served, and all others are refused.
        package var connections = 1_024
        package var connectionsPerClient = 256
        /// Behind a trusted proxy, the same limit holds for the requests under way of each client that the proxy names.
        package var trustedProxies: TrustedProxies?
        /// The sites whose pages may read answers.
        package var allowedOrigins: AllowedOrigins?
        /// How many connections may wait for such a refusal or answer.
        package var reserve = 32
        /// How long a connection must have been without a request to be hung up for the sake of another, where all are taken.
        package var quietBeforeLeaving: Duration = .seconds(1)
        /// How long requests under way may take to end when the server stops.
        package var stopLimit: Duration = .seconds(10)

        package init() {}
    }

    let options: Options
    let router: Router
    let errorResponse: ErrorResponse
    let failed: @Sendable (any Error, Router.Route) -> Void
    let log: @Sendable (AccessEntry) -> Void

    /// Makes the response to a request that no handler answers. `target` is the target of the request as it was sent. `acceptsHTML` is
    /// true where a browser will show the response to a person.
    package typealias ErrorResponse =
        @Sendable (_ status: Int, _ sentence: String, _ target: [UInt8], _ acceptsHTML: Bool) -> ServerResponse

    /// `errorResponse` makes the answer where no handler does. `failed` gets
    /// what a handler threw, of which the client sees nothing but a 500. `log` gets each request when it is over, on the
    /// thread of all of them: it must not block.
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

    package static let plainErrorResponse: ErrorResponse = { status, sentence, _, _ in
        ServerResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(Array((sentence + "\n").utf8)))
    }

    /// Serves until the task is cancelled, and then ends in good order: no new connections, requests under way may
    /// end within the limit, endless answers end at once, and what is left is cut off. A handler that then doesn't heed
    /// its cancellation is not waited for: its task goes on without anybody to answer.
    package func run(ready: @Sendable (_ port: Int) -> Void = { _ in }) async throws {
        let socket = try ListeningSocket(options.address, port: options.port)
        let daemon = try ServerDaemon(self, on: socket)
        ready(socket.port)
        await daemon.watch()
        // Not cancelled, as we are.
        await Task { await daemon.stop() }.value
    }
}

/// Why a server could not begin.
package struct ServerError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
