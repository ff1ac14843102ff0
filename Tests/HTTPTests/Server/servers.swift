import HTTP
import HTTPTesting
import Processes
import Testing

/// A server under test.
struct RunningServer: Sendable {
    let port: Int
    let task: Task<Void, any Error>
    let entries: Locked<[AccessEntry]>
    let failures: Locked<[String]>
    /// Each entry of the log when it is made.
    let log: AsyncStream<AccessEntry>

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func connect() throws -> RawConnection { try RawConnection(to: port) }

    /// Sends the bytes, and returns the text received until the server closes the connection.
    func answer(to text: String) async throws -> String {
        let connection = try connect()
        defer { connection.close() }
        await connection.send(text)
        return await connection.rest()
    }

    /// Sends the bytes and a final `GET /none` that closes the connection, and returns the text received.
    func answers(to text: String) async throws -> String { try await answers(toBytes: Array(text.utf8)) }

    /// The same. The bytes are sent in two parts, of which the first has this length. A request without its end is given
    /// up if the client is `done`.
    func answers(toBytes bytes: [UInt8], cutAt first: Int = 0, done: Bool = false) async throws -> String {
        let connection = try connect()
        defer { connection.close() }
        await connection.send(Array(bytes[..<first]))
        await connection.send(
            bytes[first...] + Array("GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        if done { connection.finish() }
        return await connection.rest()
    }
}

/// A server for one test, stopped at its end.
func withServer<Result>(
    _ change: (inout HTTPServer.Options) -> Void = { _ in }, routes: (inout Router) -> Void,
    _ body: (RunningServer) async throws -> Result
) async throws -> Result {
    var options = HTTPServer.Options()
    change(&options)
    var router = Router()
    routes(&router)
    let entries = Locked<[AccessEntry]>([])
    let failures = Locked<[String]>([])
    let (log, logged) = AsyncStream<AccessEntry>.makeStream()
    let server = HTTPServer(
        options, router: router,
        failed: { error, route in failures.withLock { $0.append("\(route.pattern): \(error)") } },
        log: { entry in
            entries.withLock { $0.append(entry) }
            logged.yield(entry)
        })
    let (ports, port) = AsyncStream<Int>.makeStream()
    let task = Task {
        defer { port.finish() }
        try await server.run { port.yield($0) }
    }
    var first: Int?
    for await port in ports {
        first = port
        break
    }
    guard let first else {
        try await task.value
        throw CancellationError()
    }
    let outcome: Swift.Result<Result, any Error>
    do {
        outcome = .success(
            try await body(RunningServer(port: first, task: task, entries: entries, failures: failures, log: log)))
    } catch {
        outcome = .failure(error)
    }
    task.cancel()
    try await task.value
    return try outcome.get()
}

extension ServerResponse {
    static func text(_ text: String) -> Self {
        ServerResponse(status: 200, headers: ["Content-Type": "text/plain"], body: .bytes(Array(text.utf8)))
    }
}

extension String {
    /// The status of each reply in the text.
    var statuses: [Int] {
        split(separator: "HTTP/1.1 ").dropFirst(hasPrefix("HTTP/1.1 ") ? 0 : 1).compactMap { Int($0.prefix(3)) }
    }

    /// The text after the first empty line.
    var afterHead: String {
        firstRange(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? ""
    }
}
