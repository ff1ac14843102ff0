import Access
import DatabaseTesting
import Foundation
import HTTP
import HTTPTesting
import JSON
import Postgres
import Processes
import Testing

@testable import API
@testable import Contacts
@testable import Queue

/// Calls the API's router: directly, or over a socket like other programs.
struct APIClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        var bytes: [UInt8]
        var pattern: String
        var isEndless = false
        /// The request, for the messages of ``expect(_:has:sourceLocation:)``.
        var request = ""

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var json: JSONValue { get throws { try JSONValue(parsing: bytes) } }
        /// The member at this path of names and indexes.
        func at(_ path: String...) throws -> JSONValue? { try json.at(path) }

        /// Compares the status, and members of the body by their path: `has: ["data.0.id": 7]`. A missing member is nil.
        @discardableResult
        func expect(
            _ status: Int? = nil, has members: KeyValuePairs<String, JSONValue?> = [:],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> Self {
            func compare(_ name: String, _ found: JSONValue?, _ expected: JSONValue?) {
                if found == expected { return }
                Issue.record(
                    "\(name) is \(found.debugDescription), not \(expected.debugDescription): \(request): \(text)",
                    sourceLocation: sourceLocation)
            }
            if let status { compare("status", .number(Double(self.status)), .number(Double(status))) }
            for (path, expected) in members {
                compare(path, try json.at(path.split(separator: ".").map(String.init)), expected)
            }
            return self
        }

        /// The same reply, unpacked from gzip.
        func unpacked() async throws -> Answer {
            guard headers["Content-Encoding"] == "gzip" else { return self }
            let request = ServerRequest(.post, path: [], headers: headers, body: RequestBody(bytes))
            var answer = self
            answer.bytes = try await request.decoded(upTo: 1 << 30)?.body.collect(upTo: 1 << 30) ?? []
            return answer
        }
    }

    var server: APIServer
    /// Nil calls the router without a network.
    var port: Int?
    /// The existing tokens, by name.
    let tokens: [String: String]
    /// The name of the token that is sent.
    var token: String? = "everything"
    var headers: HTTPHeaders = ["Host": "map.example:8080"]
    var isOverLoopback = false
    var isOverTLS = false
    /// Compares each reply with the description.
    var checksReplies = true

    func get(_ target: String, headers: HTTPHeaders = [:]) async throws -> Answer {
        try await ask(.get, target, headers: headers)
    }

    func send(
        _ method: ServerRequest.Method, _ target: String, _ body: String? = nil,
        type: String = "application/json", headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        var headers = headers
        if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = type }
        return try await ask(method, target, headers: headers, body: Array((body ?? "").utf8))
    }

    func ask(
        _ method: ServerRequest.Method, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) async throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: port == nil)
            .dropFirst(port == nil ? 0 : 1).map { $0.removingPercentEncoding ?? "" }
        let query = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                name: pair[0].removingPercentEncoding ?? "",
                value: (pair.count > 1 ? pair[1] : "").removingPercentEncoding ?? ""
            )
        }
        var all = self.headers
        for field in headers.fields { all.append(field.name, field.value) }
        if let token { all["Authorization"] = "Bearer \(tokens[token] ?? token)" }
        let found = server.router.find(method, path)
        var answer: Answer
        if let port {
            answer = try await Self.answer(to: method, target, all, body, on: port)
            guard case .route(let route, _) = found else { return answer }
            answer.pattern = route.pattern
        } else {
            guard case .route(let route, let parameters) = found else { throw RouteMissing(target: target) }
            let request = ServerRequest(
                method, path: path, query: query, headers: all, body: RequestBody(body),
                isOverLoopback: isOverLoopback, isOverTLS: isOverTLS)
            let response = try await route.respond(to: request, parameters: parameters)
            answer = Answer(
                status: response.status, headers: response.headers, bytes: try await bytes(of: response),
                pattern: route.pattern, isEndless: response.isEndless)
        }
        answer.request = "\(method.rawValue) \(target)"
        let plain = try await answer.unpacked()
        guard checksReplies else { return answer }
        for problem in try Description.shared.get().problems(with: plain, to: method) { Issue.record("\(problem)") }
        return answer
    }
}

extension APIClient {
    /// The same client with another token.
    func with(token: String?) -> APIClient {
        var client = self
        client.token = token
        return client
    }

    /// Sends each body, and compares the status of its refusal.
    func refuse(
        _ method: ServerRequest.Method, _ target: String, with status: Int, _ bodies: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for body in bodies {
            let answer = try await send(method, target, body)
            #expect(answer.status == status, "\(body): \(answer.text)", sourceLocation: sourceLocation)
        }
    }

    /// The items of all pages of a list, whose target ends with a parameter.
    func items(_ target: String) async throws -> [JSONValue] {
        var (items, after) = ([JSONValue](), "")
        while items.count < 100 {
            let page = try await get(target + after)
            items += try #require(try page.at("data")?.list)
            guard let next = try page.at("next_after")?.written else { break }
            after = "&after=\(next)"
        }
        return items
    }
}

/// All bytes of a response; none of an endless one.
private func bytes(of response: ServerResponse) async throws -> [UInt8] {
    guard case .stream(let write) = response.body, !response.isEndless else { return response.bytes }
    let gathered = Locked<[UInt8]>([])
    try await write(ResponseWriter { piece in gathered.withLock { $0 += piece } })
    return gathered.withLock { $0 }
}

struct RouteMissing: Error {
    let target: String
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    public init(floatLiteral number: Double) { self = .number(number) }
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
}

extension JSONValue {
    func at(_ path: some Sequence<String>) throws -> JSONValue? {
        var value: JSONValue? = self
        for step in path {
            value = Int(step).flatMap { place in value?.list?.dropFirst(place).first } ?? value?.object?[step]
        }
        return value
    }
}

extension APIClient {
    /// A client of the account `default`. The server uses the test's database and the API's own role.
    static func test(
        log: Log = Log(format: .logfmt) { _ in }, change: (inout Backend) -> Void = { _ in }
    ) async throws -> APIClient {
        let tokens = TokenStore()
        let (texts, account) = try await Database.test.run { db in
            var texts: [String: String] = [:]
            for (name, account, scopes) in [
                ("everything", "default", Set(AccessScope.allCases).subtracting([.geocode])),
                ("reader", "default", [.read]),
                ("phone", "default", [.track]), ("map", "default", [.locate]),
                ("other", "other", [.read, .write, .track, .locate]),
            ] as [(String, String, Set<AccessScope>)] {
                texts[name] = try tokens.create(
                    account: ContactStore().openAccount(named: account, on: db), name: name, scopes: scopes, on: db
                ).text
            }
            return (texts, try ContactStore().openAccount(named: "default", on: db))
        }
        var backend = Backend(
            database: try Database.test(as: "waypost_api"), tokens: tokens,
            openAccount: OpenAccount(id: account, name: "default"), log: log,
            standing: { db in
                try db.query("SELECT 1")
                return CoordinatorStanding(isHeard: true, isLed: true)
            })
        backend.admin = try Database.test(as: "waypost_admin")
        backend.seal = { text, _ in text.utf8.map { $0 ^ 1 } }
        change(&backend)
        return APIClient(server: APIServer(backend), tokens: texts)
    }
}

/// Over a socket, byte by byte.
extension APIClient {
    /// A server on a socket, which ends with `body`.
    static func serving(
        _ change: (inout Backend) -> Void = { _ in }, _ body: (APIClient) async throws -> Void
    ) async throws {
        // An account has at least a quarter of the places.
        var options = Database.Options(size: 12)
        options.role = "waypost_api"
        options.plansOnce = true
        let database = Database(url: try Database.testURL, options: options)
        var client = try await APIClient.test {
            $0.database = database
            change(&$0)
        }
        let server = HTTPServer(router: client.server.router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        defer { serving.cancel() }
        let number: Int = try #require(await ports.first { _ in true })
        client.port = number
        try await body(client)
    }

    private static func answer(
        to method: ServerRequest.Method, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8], on port: Int
    ) async throws -> Answer {
        var head = "\(method.rawValue) \(target) HTTP/1.1\r\nConnection: close\r\n"
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        if method != .get { head += "Content-Length: \(body.count)\r\n" }
        let connection = try RawConnection(to: port)
        defer { connection.close() }
        await connection.send(Array((head + "\r\n").utf8) + body)
        let (status, answered, bytes) = try Self.parts(of: await connection.allBytes())
        return Answer(status: status, headers: answered, bytes: bytes, pattern: "")
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
