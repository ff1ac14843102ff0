import HTTP
import HTTPTesting
import JSON
import Testing

@testable import API

/// Calls the API over a socket, like other programs.
struct APISocket: Sendable {
    private let port: Int
    let token: String

    struct Answer: Sendable {
        let status: Int
        let head: String
        let body: String

        var bytes: [UInt8] { Array(body.utf8) }
        func at(_ path: String...) throws -> JSONValue? { try JSONValue(parsing: bytes).at(path) }
    }

    func send(
        _ method: String, _ target: String, _ body: [UInt8]? = nil, type: String = "application/json",
        token: String? = nil
    ) async throws -> Answer {
        var lines = [
            "\(method) \(target) HTTP/1.1", "Host: localhost:\(port)", "Connection: close",
            "Authorization: Bearer \(token ?? self.token)",
        ]
        if let body { lines += ["Content-Type: \(type)", "Content-Length: \(body.count)"] }
        let connection = try RawConnection(to: port)
        defer { connection.close() }
        await connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
        let answer = await connection.rest()
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let status = try #require(parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return Answer(status: status, head: String(parts[0]), body: parts.count > 1 ? String(parts[1]) : "")
    }

    func send(
        _ method: String, _ target: String, text: String, type: String = "application/json"
    ) async throws -> Answer {
        try await send(method, target, Array(text.utf8), type: type)
    }

    /// Serves on a local port while `body` runs. The token has every scope.
    static func serving(_ client: APIClient, _ body: (APISocket) async throws -> Void) async throws {
        let server = HTTPServer(router: client.server.router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        defer { serving.cancel() }
        let number = try #require(await ports.first { _ in true })
        try await body(APISocket(port: number, token: #require(client.tokens["everything"])))
    }
}
