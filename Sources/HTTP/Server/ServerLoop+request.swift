import Processes

/// Checks the head of a request, and runs its handler.
extension ServerLoop {
    /// Either refuses the request or starts its handler.
    func begin(_ exchange: ServerExchange, _ body: RequestHead.Body) {
        let head = exchange.head
        exchange.state.closes = !head.keepsConnection
        do throws(HeadError) {
            exchange.state.expectsContinue = try head.expectsContinue() && body != .none
            exchange.crossOrigin = server.options.allowedOrigins?.fields(for: head.headers) ?? [:]
            guard head.hasMethod else { throw HeadError(501, "The method contains an invalid character.") }
            if body == .none { exchange.state.endBody() }
            // `OPTIONS *` lists the methods of all routes: RFC 9110, 9.3.7.
            if exchange.method == .options, head.target == Array("*".utf8) {
                return allow(Array(Set(server.router.routes.map(\.method))), exchange)
            }
            let target = try RequestTarget(head.target)
            if case .length(let length) = body {
                exchange.state.declaredLength = length
                guard length <= server.options.largestBody else {
                    return refuse(413, "The body is longer than \(server.options.largestBody) bytes.", exchange)
                }
            }
            respond(to: target, body, exchange)
        } catch {
            exchange.state.closes = true
            refuse(error.status, error.sentence, exchange)
        }
    }

    private func respond(to target: RequestTarget, _ body: RequestHead.Body, _ exchange: ServerExchange) {
        let (connection, headers) = (exchange.connection, exchange.head.headers)
        let finding = server.router.find(exchange.method, target.path)
        guard connections.admit(connection) || finding.isAlwaysAnswered else {
            return refuse(
                503, "The server has as many connections as it can take, of all clients or of this one.", exchange,
                headers: ["Retry-After": "1"])
        }
        if connection.isOfTrustedProxy, !finding.isAlwaysAnswered {
            let client = AddressRange.group(server.options.trustedProxies?.client(in: headers) ?? connection.client)
            guard connections.begin(requestOf: client) else {
                return refuse(
                    429, "This address has as many requests under way as one address may have.", exchange,
                    headers: ["Retry-After": "1"])
            }
            exchange.clientOfProxy = client
        }
        switch finding {
        case .route(let route, let parameters):
            exchange.route = route
            let (connectionNumber, number) = (connection.number, exchange.number)
            // The method of the request: the route of a GET answers a HEAD, too.
            let request = ServerRequest(
                exchange.method ?? route.method, path: target.path, query: target.query, headers: headers,
                body: RequestBody { body == .none ? nil : try await self.nextPiece(number, on: connectionNumber) },
                isOverLoopback: connection.isOverLoopback, isOverTLS: server.options.tls != nil,
                isOverTrustedProxy: connection.isOfTrustedProxy, isAuthenticated: connection.isKnown, id: exchange.id)
            handlers += 1
            exchange.task = Task.immediate(executorPreference: route.isQuick ? thread : nil) {
                await serve(exchange, route, request, parameters)
            }
        case .otherMethods(let methods) where exchange.method == .options:
            if !exchange.crossOrigin.fields.isEmpty {
                exchange.crossOrigin = AllowedOrigins.permitting(Self.list(methods), exchange.crossOrigin, to: headers)
            }
            allow(methods, exchange)
        case .otherMethods(let methods):
            refuse(405, "Method not allowed; see `Allow`.", exchange, headers: ["Allow": Self.list(methods)])
        case .nothing: refuse(404, "There is nothing here.", exchange)
        }
    }

    /// The response if no handler answers.
    func errorResponse(_ status: Int, _ sentence: String, to exchange: ServerExchange) -> ServerResponse {
        server.errorResponse(status, sentence, exchange.head.target, exchange.head.headers.acceptsHTML)
    }

    private func allow(_ methods: [ServerRequest.Method], _ exchange: ServerExchange) {
        answer(ServerResponse(status: 204, headers: ["Allow": Self.list(methods)]), exchange)
    }

    private func refuse(
        _ status: Int, _ sentence: String, _ exchange: ServerExchange, headers: HTTPHeaders = [:]
    ) {
        var response = errorResponse(status, sentence, to: exchange)
        for field in headers.fields { response.headers[field.name] = field.value }
        answer(response, exchange)
    }

    private static func list(_ methods: [ServerRequest.Method]) -> String {
        let all = Set(methods).union(methods.contains(.get) ? [.head] : []).union([.options])
        return ServerRequest.Method.allCases.filter(all.contains).map(\.rawValue).joined(separator: ", ")
    }
}

/// The task of the handler. The handler of a quick route runs on this thread, and all others run on Swift's own threads:
/// their work would delay other connections here.
extension ServerLoop {
    private func serve(
        _ exchange: ServerExchange, _ route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]
    ) async {
        defer { handlers -= 1 }
        let response = await response(to: request, exchange, route, parameters)
        guard answer(response, exchange), case .stream(let write) = response.body, request.method != .head else {
            return
        }
        let (connectionNumber, number) = (exchange.connection.number, exchange.number)
        let writer = ResponseWriter { try await self.write($0, number, on: connectionNumber) }
        do {
            try await elsewhere { try await write(writer) }
            endStream(exchange)
        } catch {
            // A part of the response was sent. The client sees from the closed connection that it is incomplete.
            guard exchange.state.phase != .over else { return }
            server.failed(error, route)
            _ = exchange.connection.flush()
            cut(exchange.connection)
        }
    }

    private func response(
        to request: ServerRequest, _ exchange: ServerExchange, _ route: Router.Route, _ parameters: [String: String]
    ) async -> ServerResponse {
        do {
            let response =
                route.isQuick
                ? try await route.respond(to: request, parameters: parameters)
                : try await elsewhere { try await route.respond(to: request, parameters: parameters) }
            guard (200...599).contains(response.status), response.headers.fields.allSatisfy(\.isSendable) else {
                throw ServerError(description: "the handler's answer has no status, or a header that can't be sent")
            }
            return response
        } catch BodyError.tooLong(let limit) {
            return errorResponse(413, "The body is longer than \(limit) bytes.", to: exchange)
        } catch {
            // If the client is gone or the time is over, that caused the error, so it is not reported.
            if exchange.state.phase == .working, exchange.state.answer == nil { server.failed(error, route) }
            return errorResponse(500, "The server failed.", to: exchange)
        }
    }

    /// The next piece of the body, for the handler; nil at the end.
    private func nextPiece(_ number: UInt64, on connectionNumber: UInt64) async throws -> [UInt8]? {
        guard let exchange = exchange(number, on: connectionNumber) else { throw BodyError.brokenOff }
        let connection = exchange.connection
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let continues = exchange.state.read(isCancelled: Task.isCancelled) { continuation.resume(with: $0) }
                if continues { connection.queue(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), at: now) }
                // Until now the client waited for the handler.
                connection.movedAt = now
                wake(connection)
            }
        } onCancel: {
            Task { await self.cancelRead(number, on: connectionNumber) }
        }
    }

    private func cancelRead(_ number: UInt64, on connectionNumber: UInt64) {
        exchange(number, on: connectionNumber)?.state.cancelRead()
    }

    /// Nil if it is over.
    func exchange(_ number: UInt64, on connectionNumber: UInt64) -> ServerExchange? {
        connections.open[connectionNumber]?.exchange.flatMap { $0.number == number ? $0 : nil }
    }
}

extension Router.Finding {
    fileprivate var isAlwaysAnswered: Bool {
        if case .route(let route, _) = self { route.isAlwaysAnswered } else { false }
    }
}
