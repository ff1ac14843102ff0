import HTTP
import HTTPTesting
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AnswerTests {
    private func routes(_ router: inout Router) {
        router.add(.get, "/hello/{name}") { request in
            .text("\(request.parameters["name"] ?? "") \(request.query("q") ?? "") \(request.isOverLoopback)")
        }
        router.add(.post, "/hello/{name}") { request in
            ServerResponse(status: 201, body: .bytes(try await request.body.collect(upTo: 1 << 20)))
        }
        router.add(.get, "/broken") { _ in throw HTTPTestError(text: "the secret of the inside") }
        router.add(.get, "/stream") { _ in
            ServerResponse(
                status: 200,
                body: .stream { writer in
                    for word in ["one ", "two ", "three"] { try await writer.write(Array(word.utf8)) }
                })
        }
        router.add(.get, "/headers") { _ in
            ServerResponse(status: 200, headers: ["X-Bad": "a\r\nX-Smuggled: b"])
        }
        router.add(.get, "/framed") { _ in
            ServerResponse(
                status: 200,
                headers: [
                    "Content-Length": "1", "transfer-encoding": "gzip", "Connection": "upgrade", "Date": "today",
                    "X-Own": "kept",
                ], body: .bytes(Array("whole".utf8)))
        }
        router.add(.get, "/cut") { _ in
            ServerResponse(
                status: 200,
                body: .stream { writer in
                    try await writer.write(Array("half".utf8))
                    throw HTTPTestError(text: "no more")
                })
        }
    }

    @Test func `a handler gets path, query and body, and its reply is sent`() async throws {
        try await withServer(routes: routes) { server in
            try await withClient { client in
                let hello = try await client.get(server.url("/hello/%C3%A9?q=1%202"))
                #expect(hello.text == "é 1 2 true")
                let url = try #require(HTTPURL(server.url("/hello/you")))
                let answer = try await client.send(HTTPRequest(.post, url, body: Array("a body".utf8)))
                #expect(answer.status == 201)
                #expect(answer.text == "a body")
            }
        }
    }

    @Test func `the router answers 404 for a path and 405 with Allow for a method`() async throws {
        try await withServer(routes: routes) { server in
            let missing = try await server.answers(to: "")
            #expect(missing.statuses == [404])
            let wrong = try await server.answers(to: "DELETE /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(wrong.statuses == [405, 404])
            #expect(wrong.contains("Allow: GET, HEAD, POST, OPTIONS\r\n"))
            let options = try await server.answers(to: "OPTIONS /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(options.statuses == [204, 404])
            #expect(options.contains("Allow: GET, HEAD, POST, OPTIONS\r\n"))
            let all = try await server.answers(to: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(all.statuses == [204, 404])
            for method in ["TRACE", "CONNECT", "BREW", "get", "M-SEARCH"] {
                let known = try await server.answers(to: "\(method) /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(known.statuses == [405, 404])
                #expect(known.contains("Allow: GET, HEAD, POST, OPTIONS\r\n"))
                let nowhere = try await server.answers(to: "\(method) /you HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(nowhere.statuses == [404, 404])
            }
            let none = try await server.answers(to: "BR{}W /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(none.statuses == [501])
        }
    }

    @Test func `HEAD is GET without the body`() async throws {
        try await withServer(routes: routes) { server in
            let head = try await server.answers(to: "HEAD /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(head.statuses == [200, 404])
            #expect(head.contains("Content-Length: 9\r\n"))
            #expect(!head.contains("you"))
            let stream = try await server.answers(to: "HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(stream.statuses == [200, 404])
            #expect(stream.contains("Transfer-Encoding: chunked\r\n"))
            #expect(stream.afterHead.hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test func `a handler can't change the framing of its reply`() async throws {
        try await withServer(routes: routes) { server in
            let answers = try await server.answers(to: "GET /framed HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answers.statuses == [200, 404])
            let head = answers.lowercased()
            #expect(head.contains("content-length: 5\r\n") && head.contains("x-own: kept\r\n"))
            for lie in ["content-length: 1", "gzip", "upgrade", "today"] { #expect(!head.contains(lie)) }
        }
    }

    @Test func `the access log counts body bytes sent, and none for HEAD`() async throws {
        try await withServer(routes: routes) { server in
            _ = try await server.answers(
                to: "HEAD /hello/you HTTP/1.1\r\nHost: a\r\n\r\nGET /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            let entries = server.entries.withLock { $0 }
            #expect(entries.prefix(2).map(\.bytes) == [0, 9])
        }
    }

    @Test func `a handler that throws gives a 500 without details`() async throws {
        try await withServer(routes: routes) { server in
            let answers = try await server.answers(
                to: "GET /broken HTTP/1.1\r\nHost: a\r\n\r\nGET /headers HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answers.statuses == [500, 500, 404])
            #expect(!answers.contains("secret") && !answers.contains("Smuggled"))
            let failures = server.failures.withLock { $0 }
            #expect(failures.first == "/broken: the secret of the inside")
        }
    }

    @Test func `a stream is sent in chunks, and a failed one is cut off`() async throws {
        try await withServer(routes: routes) { server in
            try await withClient { client in
                let whole = try await client.get(server.url("/stream"))
                #expect(whole.text == "one two three")
                let half = try await client.failure(of: server.url("/cut"))
                #expect(half.kind == .broken)
            }
            let old = try await server.answer(to: "GET /stream HTTP/1.0\r\n\r\n")
            #expect(old.afterHead == "one two three")
            let failures = server.failures.withLock { $0 }
            #expect(failures == ["/cut: no more"])
            let entries = server.entries.withLock { $0 }
            let cut = entries.filter(\.wasCutOff).map(\.route)
            #expect(cut == ["/cut"])
        }
    }

    @Test func `a thousand requests are pipelined on one connection`() async throws {
        try await withServer(routes: routes) { server in
            let one = "GET /hello/you HTTP/1.1\r\nHost: a\r\n\r\n"
            let answers = try await server.answers(to: String(repeating: one, count: 1_000))
            #expect(answers.statuses == Array(repeating: 200, count: 1_000) + [404])
        }
    }

    @Test func `a short reply is sent in one piece`() async throws {
        try await withServer(routes: routes) { server in
            let connection = try server.connect()
            defer { connection.close() }
            await connection.send("GET /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            let size = await connection.read(until: "you  true").utf8.count
            for _ in 1...50 {
                await connection.send("GET /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
                // The random Request-Id varies in its length.
                #expect(await connection.read(atMost: 64 << 10) > size - 10)
            }
        }
    }

    @Test func `the version and the field Connection decide whether the connection goes on`() async throws {
        try await withServer(routes: routes) { server in
            for (version, option, goesOn) in [
                ("1.1", "", true), ("1.1", "Connection: x, Close\r\n", false), ("1.0", "", false),
                ("1.0", "Connection: keep-alive\r\n", true),
            ] {
                let get = "GET /hello/you HTTP/\(version)\r\nHost: a\r\n\(option)\r\n"
                let answers = try await server.answers(to: get)
                #expect(answers.statuses == (goesOn ? [200, 404] : [200]), "\(get)")
                #expect(answers.contains("Connection: keep-alive\r\n") == (goesOn && version == "1.0"))
            }
        }
    }

    @Test func `a client that has ended its side gets its replies`() async throws {
        try await withServer(routes: routes) { server in
            let connection = try server.connect()
            defer { connection.close() }
            await connection.send(
                "GET /hello/you HTTP/1.1\r\nHost: a\r\n\r\nPOST /hello/you HTTP/1.1\r\nHost: a\r\n"
                    + "Content-Length: 300000\r\n\r\n" + String(repeating: "x", count: 300_000))
            connection.finish()
            #expect(await connection.rest().statuses == [200, 201])
        }
    }

    @Test func `a streamed reply releases its request at its end`() async throws {
        final class Held: Sendable {
            let end: AsyncStream<Void>.Continuation
            init(_ end: AsyncStream<Void>.Continuation) { self.end = end }
            deinit { end.finish() }
        }
        let (ends, end) = AsyncStream<Void>.makeStream()
        try await withServer { router in
            router.add(.post, "/echo") { request in
                let held = Held(end)
                return ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        for try await piece in request.body { try await writer.write(piece) }
                        withExtendedLifetime(held) {}
                    })
            }
        } _: { server in
            let answers = try await server.answers(
                to: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
            #expect(answers.statuses == [200, 404])
        }
        for await _ in ends {}
    }

    @Test func `the log has the route and nothing else of the request`() async throws {
        try await withServer(routes: routes) { server in
            _ = try await server.answers(to: "GET /hello/secret?q=secret HTTP/1.1\r\nHost: a\r\n\r\n")
            var entries = server.log.makeAsyncIterator()
            let entry = try #require(await entries.next())
            #expect(entry.method == .get)
            #expect(entry.route == "/hello/{name}")
            #expect(entry.status == 200)
            #expect(entry.bytes == "secret secret true".count)
            #expect(!entry.wasCutOff)
            #expect(!"\(entry)".contains("secret"))
        }
    }

    @Test func `an occupied port and an invalid address are reported`() async throws {
        try await withServer(routes: routes) { server in
            let taken = try await #require(throws: ServerError.self) {
                try await withServer {
                    $0.port = server.port
                } routes: { _ in
                } _: { _ in
                }
            }
            #expect(taken.description == "can't listen on 127.0.0.1, port \(server.port): Address already in use")
        }
        await #expect(throws: ServerError.self) {
            try await withServer {
                $0.address = "example.org"
            } routes: { _ in
            } _: { _ in
            }
        }
        try await withServer {
            $0.address = "::"
        } routes: {
            routes(&$0)
        } _: { server in
            let answers = try await server.answers(to: "GET /hello/you HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answers.contains("you  true"))
        }
    }
}

struct HTTPTestError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
