import Access
import DatabaseTesting
import HTTP
import HTTPTesting
import JSON
import Testing

@testable import API

@Suite(.database)
struct EventStreamTests {
    @Test func `the event streams of one token do not block other clients of the same address`() async throws {
        let client = try await APIClient.test { $0.connectionsOfAddress = 16 }
        var options = HTTPServer.Options()
        options.connectionsPerClient = 16
        options.quietBeforeLeaving = .zero
        let server = HTTPServer(options, router: client.server.router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        defer { serving.cancel() }
        let number = try #require(await ports.first { _ in true })
        func open(_ token: String, _ path: String = "/v1/progress/events") async throws -> (RawConnection, Int) {
            let connection = try RawConnection(to: number)
            let text = try #require(client.tokens[token])
            await connection.send("GET \(path) HTTP/1.1\r\nHost: map.example\r\nAuthorization: Bearer \(text)\r\n\r\n")
            return (connection, Int(await connection.read(until: "\r\n\r\n").split(separator: " ")[1]) ?? 0)
        }
        var (connections, statuses): ([RawConnection], [Int]) = ([], [])
        for _ in 0..<20 {
            let (connection, status) = try await open("reader")
            connections.append(connection)
            statuses.append(status)
        }
        #expect(statuses == Array(repeating: 200, count: 4) + Array(repeating: 429, count: 16))
        let (other, status) = try await open("other", "/v1/friends")
        #expect(status == 200)
        for connection in connections + [other] { connection.close() }
        // A closed stream makes room for another one.
        while true {
            let (connection, status) = try await open("reader")
            connection.close()
            if status == 200 { break }
        }
    }

    @Test func `an account has a limit of event streams, and a refusal names the limit`() async throws {
        let client = try await APIClient.test { $0.connectionsOfAddress = 8 }
        var kept: [ServerResponse] = []
        let third = try #require(
            try await client.send(.post, "/v1/tokens", #"{"name":"third","scopes":["read"]}"#).at("token")?.text)
        func open(_ token: String) async throws -> ServerResponse {
            let text = client.tokens[token] ?? token
            let request = ServerRequest(
                .get, path: ["v1", "progress", "events"], headers: ["Authorization": "Bearer \(text)"])
            guard case .route(let route, let parameters) = client.server.router.find(.get, request.path) else {
                throw RouteMissing(target: "/v1/progress/events")
            }
            return try await route.respond(to: request, parameters: parameters)
        }
        for token in ["reader", "reader", "everything", "everything"] {
            kept.append(try await open(token))
            #expect(kept.last?.status == 200)
        }
        let refused = try await open("reader")
        #expect(refused.status == 429)
        #expect(refused.headers["RateLimit-Policy"] == "\"token-streams\";q=2;qu=\"concurrent-requests\"")
        #expect(try JSONValue(parsing: refused.bytes).at(["code"]) == .text("too_many_streams"))
        let full = try await open(third)
        #expect(full.status == 429)
        #expect(full.headers["RateLimit"]?.hasPrefix("\"account-streams\";r=0") == true)
        #expect(try await open("other").status == 200)
        kept.removeLast()
        #expect(try await open(third).status == 200)
    }

    @Test func `a refused event stream does not count`() throws {
        let streams = EventStreams(EventStreams.Limits(connectionsOfAddress: 8))
        func caller(_ token: Int) -> Caller {
            Caller(account: 1, accountName: "a", token: token, scopes: [.read])
        }
        var open = try [1, 1, 2].map { try streams.begin(for: caller($0)) }
        // The token has two already, and the account one place left.
        for _ in 1...5 { #expect(throws: RequestError.self) { _ = try streams.begin(for: caller(1)) } }
        open.append(try streams.begin(for: caller(2)))
        // The account has four, and this token none.
        for _ in 1...5 { #expect(throws: RequestError.self) { _ = try streams.begin(for: caller(3)) } }
        open = []
        open = try [3, 3, 1, 1].map { try streams.begin(for: caller($0)) }
        #expect(open.count == 4)
    }
}
