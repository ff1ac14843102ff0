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
        /// How many segments are parameters.
        let parameters: Int
        /// True if the route is served even above the limit of connections. Its handler doesn't wait.
        let isAlwaysAnswered: Bool
        /// True if the handler computes only for microseconds. It runs on the server's thread then, which saves two
        /// thread switches.
        let isQuick: Bool
        let handler: Handler
    }

    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
        /// All further segments, if there are any.
        case rest
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
        _ method: ServerRequest.Method, _ pattern: String, isAlwaysAnswered: Bool = false, isQuick: Bool = false,
        _ handler: @escaping Handler
    ) {
        let segments = pattern.split(separator: "/").map { segment in
            segment == "{rest...}"
                ? Segment.rest
                : segment.hasPrefix("{")
                    ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
        routes.append(
            Route(
                method: method, pattern: pattern, segments: segments,
                parameters: segments.count { if case .literal = $0 { false } else { true } },
                isAlwaysAnswered: isAlwaysAnswered, isQuick: isQuick, handler: handler))
    }

    /// A literal segment is preferred to a parameter, whatever the method. The GET route of a path answers a HEAD. A
    /// nil method is unknown to this server.
    package func find(_ method: ServerRequest.Method?, _ path: [String]) -> Finding {
        let matching = routes.filter { $0.matches(path) }
        guard let fewest = matching.map(\.parameters).min() else { return .nothing }
        let nearest = matching.filter { $0.parameters == fewest }
        guard let route = nearest.first(where: { $0.method == (method == .head ? .get : method) }) else {
            return .otherMethods(nearest.map(\.method))
        }
        return .route(route, parameters: route.values(in: path))
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

    fileprivate func matches(_ path: [String]) -> Bool {
        (segments.last == .rest ? path.count >= segments.count - 1 : path.count == segments.count)
            && zip(segments, path).allSatisfy { segment, text in
                if case .literal(let literal) = segment { literal.utf8.elementsEqual(text.utf8) } else { true }
            }
    }

    fileprivate func values(in path: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for case (.parameter(let name), let text) in zip(segments, path) { values[name] = text }
        return values
    }
}
