import DatabaseTesting
import Foundation
import HTTP
import HTTPTesting
import Postgres
import Testing

@testable import API

/// Calls the API like a client: over a socket, byte by byte.
struct SocketClient: Sendable {
    let port: Int
    var client: APIClient

    /// A server on a socket, which ends with `body`.
    static func with(
        _ change: (inout Backend) -> Void = { _ in }, _ body: (SocketClient) async throws -> Void
    ) async throws {
        // An account has at least a quarter of the places.
        var options = Database.Options(size: 12)
        options.role = "waypost_api"
        options.plansOnce = true
        let database = Database(url: try Database.testURL, options: options)
        let client = try await APIClient.test {
            $0.database = database
            change(&$0)
        }
        let server = HTTPServer(router: client.server.router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        defer { serving.cancel() }
        try await body(SocketClient(port: #require(await ports.first { _ in true }), client: client))
    }

    /// Returns a reply after checking it against the description.
    func ask(
        _ method: ServerRequest.Method, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) async throws -> APIClient.Answer {
        var head = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: map.example\r\nConnection: close\r\n"
        if let token = client.token { head += "Authorization: Bearer \(client.tokens[token] ?? token)\r\n" }
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        if method != .get { head += "Content-Length: \(body.count)\r\n" }
        let connection = try RawConnection(to: port)
        defer { connection.close() }
        await connection.send(Array((head + "\r\n").utf8) + body)
        let (status, answered, bytes) = try Self.parts(of: await connection.allBytes())
        guard case .route(let route, _) = client.server.router.find(method, target.pathSegments) else {
            return APIClient.Answer(status: status, headers: answered, bytes: bytes, pattern: "")
        }
        let answer = APIClient.Answer(status: status, headers: answered, bytes: bytes, pattern: route.pattern)
        if answered["Content-Encoding"] == nil {
            for problem in try Description.shared.get().problems(with: answer, to: method) {
                Issue.record("\(problem)")
            }
        }
        return answer
    }

    func send(
        _ method: ServerRequest.Method, _ target: String, _ body: String? = nil, headers: HTTPHeaders = [:]
    ) async throws -> APIClient.Answer {
        var headers = headers
        if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        return try await ask(method, target, headers: headers, body: Array((body ?? "").utf8))
    }

    private static func parts(of answer: [UInt8]) throws -> (Int, HTTPHeaders, [UInt8]) {
        let end = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = try #require(Int(lines[0].split(separator: " ")[1]))
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let colon = try #require(line.firstIndex(of: ":"))
            headers.append(String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        let body = Array(answer[end.upperBound...])
        return (status, headers, headers["Transfer-Encoding"] == "chunked" ? try unchunked(body) : body)
    }

    private static func unchunked(_ body: [UInt8]) throws -> [UInt8] {
        var (rest, bytes) = (body[...], [UInt8]())
        while true {
            let end = try #require(rest.firstRange(of: Array("\r\n".utf8)))
            let count = try #require(Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16))
            rest = rest[end.upperBound...]
            if count == 0 { return bytes }
            bytes += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
    }
}

extension String {
    /// The decoded segments of the target's path.
    fileprivate var pathSegments: [String] {
        prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { $0.removingPercentEncoding ?? "" }
    }
}
