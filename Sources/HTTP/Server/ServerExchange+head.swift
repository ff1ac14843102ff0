import CMicrohttpd
import Processes

/// Checks the head of a request and starts its handler. Runs on libmicrohttpd's thread.
extension ServerExchange {
    /// Reads the complete head, and either refuses the request or starts its handler.
    func begin(_ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>) {
        state.withLock { $0.begin() }
        let server = daemon.server
        do throws(HeadError) {
            var reader = HeadReader(method, targetLine, version)
            let head = try reader.read(raw)
            let body = try head.body()
            let expectsContinue = try head.expectsContinue() && body != .none
            state.withLock {
                $0.expectsContinue = expectsContinue
                $0.acceptsHTML = head.headers.acceptsHTML
            }
            crossOrigin = server.options.allowedOrigins?.fields(for: head.headers) ?? [:]
            guard head.method.isToken else { throw HeadError(501, "The method of the request is none.") }
            self.method = ServerRequest.Method(rawValue: head.method)
            // `OPTIONS *` lists the methods of all routes: RFC 9110, 9.3.7.
            if self.method == .options, targetLine.bytes == Array("*".utf8) {
                return allow(Array(Set(server.router.routes.map(\.method))))
            }
            let target = try RequestTarget(targetLine.bytes)
            if case .length(let length) = body {
                state.withLock { $0.declaredLength = length }
                guard length <= server.options.largestBody else {
                    return refuse(413, "The body is longer than \(server.options.largestBody) bytes.")
                }
            }
            if body == .none { state.withLock { $0.endBody() } }
            respond(to: target, head.headers)
        } catch {
            state.withLock { $0.closes = true }
            refuse(error.status, error.sentence)
        }
    }

    private func respond(to target: RequestTarget, _ headers: HTTPHeaders) {
        let finding = daemon.server.router.find(method, target.path)
        guard daemon.connections.admit(connection) || finding.isAlwaysAnswered else {
            return refuse(
                503, "The server has as many connections as it can take, of all clients or of this one.",
                headers: ["Retry-After": "1"])
        }
        if connection.isOfTrustedProxy, !finding.isAlwaysAnswered {
            let client = daemon.server.options.trustedProxies?.client(in: headers) ?? connection.client
            guard daemon.connections.begin(requestOf: client) else {
                return refuse(
                    429, "This address has as many requests under way as one address may have.",
                    headers: ["Retry-After": "1"])
            }
            clientOfProxy = client
        }
        switch finding {
        case .route(let route, let parameters):
            self.route = route
            // The method of the request: the route of a GET answers a HEAD, too.
            let request = ServerRequest(
                method ?? route.method, path: target.path, query: target.query, headers: headers,
                body: RequestBody { try await self.nextPiece() }, isOverLoopback: connection.isOverLoopback,
                isOverTLS: daemon.server.options.tls != nil, isOverTrustedProxy: connection.isOfTrustedProxy, id: id)
            start(route, request, parameters)
        case .otherMethods(let methods) where method == .options:
            if !crossOrigin.fields.isEmpty {
                crossOrigin = AllowedOrigins.permitting(Self.list(methods), crossOrigin, to: headers)
            }
            allow(methods)
        case .otherMethods(let methods):
            refuse(405, "The resource knows other methods.", headers: ["Allow": Self.list(methods)])
        case .nothing: refuse(404, "There is nothing here.")
        }
    }

    /// The response if no handler answers.
    func errorResponse(_ status: Int, _ sentence: String) -> ServerResponse {
        daemon.server.errorResponse(status, sentence, targetLine.bytes, state.withLock { $0.acceptsHTML })
    }

    private func allow(_ methods: [ServerRequest.Method]) {
        answer(ServerResponse(status: 204, headers: ["Allow": Self.list(methods)]))
    }

    private func refuse(_ status: Int, _ sentence: String, headers: HTTPHeaders = [:]) {
        var response = errorResponse(status, sentence)
        for field in headers.fields { response.headers[field.name] = field.value }
        answer(response)
    }

    private static func list(_ methods: [ServerRequest.Method]) -> String {
        let all = Set(methods).union(methods.contains(.get) ? [.head] : []).union([.options])
        return ServerRequest.Method.allCases.filter(all.contains).map(\.rawValue).joined(separator: ", ")
    }
}

extension Router.Finding {
    fileprivate var isAlwaysAnswered: Bool {
        if case .route(let route, _) = self { route.isAlwaysAnswered } else { false }
    }
}
