import HTTP
import HTTPTesting
import Processes
import Testing

/// Flow control: the client and the handler wait for each other.
@Suite(.timeLimit(.minutes(10)))
struct FlowTests {
    @Test func `a client that doesn't read makes the handler wait, and is cut off in the end`() async throws {
        let written = Locked(0)
        let piece = [UInt8](repeating: 120, count: 16 << 10)
        try await withServer {
            $0.idleLimit = .seconds(1)
        } routes: { router in
            router.add(.get, "/") { _ in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        for _ in 0..<16_384 {
                            try await writer.write(piece)
                            written.withLock { $0 += 1 }
                        }
                    })
            }
        } _: { server in
            let connection = try server.connect()
            defer { connection.close() }
            await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for await entry in server.log {
                #expect(entry.wasCutOff)
                break
            }
            // The sockets' buffers and some chunks, not the whole 256 MB.
            let count = written.withLock { $0 }
            #expect(count > 0 && count < 2_000)
        }
    }

    @Test func `a client that reads just fast enough not to be idle is cut off`() async throws {
        try await withServer {
            $0.idleLimit = .seconds(1)
            $0.slowestClient = 1 << 30
        } routes: { router in
            router.add(.get, "/") { _ in
                ServerResponse(status: 200, body: .bytes([UInt8](repeating: 120, count: 64 << 20)))
            }
        } _: { server in
            let connection = try server.connect()
            await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let reading = Task {
                // This pause makes the client slow: at most 13 MB a second, and never idle.
                while await connection.read(atMost: 64 << 10) > 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
            for await entry in server.log {
                #expect(entry.wasCutOff)
                break
            }
            reading.cancel()
            _ = await reading.result
            connection.close()
        }
    }

    @Test func `a long stream is echoed while it is received`() async throws {
        try await withServer { router in
            router.add(.post, "/") { request in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        for try await piece in request.body { try await writer.write(piece) }
                    })
            }
        } _: { server in
            let connection = try server.connect()
            defer { connection.close() }
            let size = 8 << 20
            let sending = Task<Bool, Never> {
                await connection.send("POST / HTTP/1.0\r\nContent-Length: \(size)\r\n\r\n")
                return await connection.send([UInt8](repeating: 120, count: size))
            }
            let echoed = await connection.allBytes()
            #expect(await sending.value)
            #expect(echoed.count { $0 == 120 } >= size, "\(String(decoding: echoed.prefix(200), as: UTF8.self))")
        }
    }

    @Test func `a reply comes although its handler left a body unread that fills the server's buffer`() async throws {
        let (gates, gate) = AsyncStream<Void>.makeStream()
        try await withServer { router in
            router.add(.post, "/") { _ in
                for await _ in gates { break }
                return .text("unread")
            }
        } _: { server in
            let connection = try server.connect()
            defer { connection.close() }
            await connection.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            await connection.send("40000\r\n" + String(repeating: "x", count: 1 << 18) + "\r\n0\r\n\r\n")
            // The loop serves this request after it has read what it holds of the body.
            #expect(try await server.answers(to: "").statuses == [404])
            gate.yield()
            #expect(await connection.read(until: "unread").statuses == [200])
        }
    }

    @Test func `after a stream that ends before the request does, the connection goes on`() async throws {
        try await withServer { router in
            router.add(.post, "/") { _ in
                ServerResponse(status: 200, body: .stream { try await $0.write(Array("early".utf8)) })
            }
        } _: { server in
            let connection = try server.connect()
            defer { connection.close() }
            await connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            #expect(await connection.read(until: "0\r\n\r\n").statuses == [200])
            await connection.send(String(repeating: "x", count: 100_000))
            await connection.send("GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await connection.rest().statuses == [404])
        }
    }

    @Test func `a client that falls silent within a body is cut off, and a waiting one is not`() async throws {
        let (pauses, pause) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.idleLimit = .seconds(1)
        } routes: { router in
            router.add(.post, "/read") { request in .text("\(try await request.body.collect(upTo: 100).count)") }
            router.add(.post, "/late") { request in
                for await _ in pauses { break }
                return .text("\(try await request.body.collect(upTo: 1 << 20).count)")
            }
        } _: { server in
            let waiting = try server.connect()
            let size = 1 << 20
            await waiting.send("POST /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n")
            let sending = Task<Bool, Never> { await waiting.send([UInt8](repeating: 120, count: size)) }
            for _ in 1...2 {
                let silent = try server.connect()
                await silent.send("POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234")
                #expect(await silent.rest() == "")
                silent.close()
            }
            pause.yield()
            #expect(await waiting.rest().afterHead == "\(size)")
            #expect(await sending.value)
            waiting.close()
        }
    }

    @Test func `a slow handler does not count as a slow client`() async throws {
        let (pauses, pause) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.idleLimit = .seconds(1)
        } routes: { router in
            router.add(.get, "/") { _ in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        try await writer.write(Array("one ".utf8))
                        for await _ in pauses { break }
                        try await writer.write(Array("two".utf8))
                    })
            }
        } _: { server in
            async let answer = server.answer(to: "GET / HTTP/1.0\r\n\r\n")
            // Each is closed after the idle limit, so two of them take twice that.
            for _ in 1...2 {
                let silent = try server.connect()
                #expect(await silent.rest() == "")
                silent.close()
            }
            pause.yield()
            #expect(try await answer.afterHead == "one two")
        }
    }

    @Test func `a handler that doesn't read makes the client wait`() async throws {
        try await withServer {
            $0.requestLimit = .seconds(1)
        } routes: { router in
            router.add(.post, "/") { request in
                try await Task.sleep(for: .seconds(600))
                return .text("too late")
            }
        } _: { server in
            let connection = try server.connect()
            defer { connection.close() }
            await connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(64 << 20)\r\n\r\n")
            var count = 0
            while await connection.send([UInt8](repeating: 120, count: 1 << 20)) { count += 1 }
            // The sockets' buffers, not all 64 pieces.
            #expect(count < 32)
        }
    }

    @Test func `a long body is echoed whole while both sides wait for each other`() async throws {
        try await withServer { router in
            router.add(.post, "/") { request in
                var sum = 0
                for try await piece in request.body { sum += piece.reduce(0) { $0 + Int($1) } }
                let total = sum
                return ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        for _ in 0..<1_024 { try await writer.write([UInt8](repeating: 121, count: 10_000)) }
                        try await writer.write(Array("\(total)".utf8))
                    })
            }
        } _: { server in
            try await withClient { client in
                let url = try #require(HTTPURL(server.url("/")))
                let body = [UInt8](repeating: 120, count: 10 << 20)
                let answer = try await client.send(HTTPRequest(.post, url, body: body))
                #expect(answer.body.count == 10_240_000 + "\(120 * (10 << 20))".utf8.count)
                #expect(answer.text.hasSuffix("\(120 * (10 << 20))"))
            }
        }
    }

    @Test func `a client that disconnects cancels the handler's task`() async throws {
        let (events, event) = AsyncStream<String>.makeStream()
        try await withServer { router in
            router.add(.get, "/wait") { _ in
                event.yield("begun")
                try? await Task.sleep(for: .seconds(600))
                event.yield("cancelled: \(Task.isCancelled)")
                return .text("nobody reads this")
            }
            router.add(.post, "/body") { request in
                event.yield("begun")
                do {
                    _ = try await request.body.collect(upTo: 100)
                } catch {
                    event.yield("\(error)")
                }
                return .text("nor this")
            }
            router.add(.get, "/stream") { _ in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        event.yield("begun")
                        do {
                            while true { try await writer.write([UInt8](repeating: 120, count: 100_000)) }
                        } catch {
                            event.yield("\(error)")
                            throw error
                        }
                    })
            }
        } _: { server in
            var seen = events.makeAsyncIterator()
            for (request, end) in [
                ("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n", "cancelled: true"),
                ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1", "brokenOff"),
                ("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n", "brokenOff"),
            ] {
                let connection = try server.connect()
                await connection.send(request)
                #expect(await seen.next() == "begun")
                connection.close()
                #expect(await seen.next() == end)
            }
            let failures = server.failures.withLock { $0 }
            #expect(failures == [])
        }
    }

    @Test func `a thousand requests in a row use one connection and leak nothing`() async throws {
        try await withServer { router in
            router.add(.get, "/") { _ in
                await Task.yield()
                return .text("a")
            }
        } _: { server in
            let connection = try server.connect()
            defer { connection.close() }
            for _ in 0..<1_000 {
                await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = await connection.read(until: "\r\n\r\na")
                try #require(answer.statuses == [200])
            }
        }
    }
}
