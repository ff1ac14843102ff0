/// Finds the handler of a request by its method and path.
///
///     var router = Router()
///     router.add(.get, "/v1/friends/{id}") { request in … }
package struct Router: Sendable {
    package typealias Handler = @Sendable (ServerRequest) async throws -> ServerResponse

    package struct Route: Sendable {
        package let method: ServerRequest.Method
        /// The pattern as it was added. Logs and metrics may name it, because it contains nothing of the request.
        package let pattern: String
        let segments: [Segment]
        /// True if the route is served even above the limit of connections. Its handler doesn't wait.
        let isAlwaysAnswered: Bool
        let handler: Handler
    }

    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    /// The result of looking for a route.
    package enum Finding: Sendable {
        case route(Route, parameters: [String: String])
        /// The path exists, but only with these methods.
        case otherMethods([ServerRequest.Method])
        case nothing
    }

    package private(set) var routes: [Route] = []

    package init() {}

    package mutating func add(
        _ method: ServerRequest.Method, _ pattern: String, isAlwaysAnswered: Bool = false, _ handler: @escaping Handler
    ) {
        let segments = pattern.split(separator: "/").map { segment in
            segment.hasPrefix("{")
                ? Segment.parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
        routes.append(
            Route(
                method: method, pattern: pattern, segments: segments, isAlwaysAnswered: isAlwaysAnswered,
                handler: handler))
    }

    /// A literal segment is preferred to a parameter, whatever the method. The GET route of a path answers a HEAD. A
    /// nil method is unknown to this server.
    package func find(_ method: ServerRequest.Method?, _ path: [String]) -> Finding {
        let matching = routes.compactMap { route in route.match(path).map { (route: route, parameters: $0) } }
        guard let fewest = matching.map(\.parameters.count).min() else { return .nothing }
        let nearest = matching.filter { $0.parameters.count == fewest }
        guard let asked = nearest.first(where: { $0.route.method == (method == .head ? .get : method) }) else {
            return .otherMethods(nearest.map(\.route.method))
        }
        return .route(asked.route, parameters: asked.parameters)
    }
}

extension Router.Route {
    /// Calls the handler with the values of the route's parameters.
    package func respond(
        to request: ServerRequest, parameters: [String: String]
    ) async throws -> ServerResponse {
        var request = request
        request.parameters = parameters
        return try await handler(request)
    }

    fileprivate func match(_ path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let literal): guard literal == text else { return nil }
            case .parameter(let name): parameters[name] = text
            }
        }
        return parameters
    }
}
