import Dispatch
import HTTP
import HTTPTesting
import Polling
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServerLimitTests {
    private func routes(_ router: inout Router) {
        router.add(.post, "/a") { request in .text("\(try await request.body.collect(upTo: 1 << 20).count) bytes") }
        router.add(.get, "/a") { _ in .text("a") }
    }

    private func post(_ size: Int) -> String {
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size)
    }

    private func chunks(_ size: Int) -> String {
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "1\r\nx\r\n", count: size) + "0\r\n\r\n"
    }

    @Test func `a body at the limit is read, one byte more is refused, and the connection goes on`() async throws {
        try await withServer {
            $0.largestBody = 100_000
        } routes: {
            routes(&$0)
        } _: { server in
            let answers = try await server.answers(
                to: post(100_000) + post(100_001) + chunks(100_000) + chunks(100_001))
            #expect(answers.statuses == [200, 413, 200, 413, 404])
            let far = try await server.answer(to: "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(1 << 30)\r\n\r\nx")
            #expect(far.statuses == [413])
        }
    }

    @Test func `collecting a body has its own limit`() async throws {
        try await withServer(routes: routes) { server in
            let answers = try await server.answers(to: post(1 << 20) + post((1 << 20) + 1))
            #expect(answers.statuses == [200, 413, 404])
        }
    }

    @Test func `an unwanted body is not read to its end`() async throws {
        try await withServer {
            $0.largestBody = 4 << 30
        } routes: { router in
            router.add(.post, "/a") { _ in
                await Task.yield()
                return .text("no")
            }
        } _: { server in
            let declared = try await server.answer(
                to: "POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: \(1 << 30)\r\n\r\nxx")
            #expect(declared.statuses == [404])
            for length in ["Content-Length: \(1 << 30)", "Transfer-Encoding: chunked"] {
                let connection = try server.connect()
                defer { connection.close() }
                await connection.send("POST /a HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n")
                let piece = "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n"
                var count = 0
                while count < 1_000, await connection.send(piece) { count += 1 }
                #expect(count < 100)
            }
        }
    }

    @Test func `a head over the limit is refused`() async throws {
        try await withServer(routes: routes) { server in
            let long = String(repeating: "x", count: 40_000)
            let field = try await server.answer(to: "GET /a HTTP/1.1\r\nHost: a\r\nX: \(long)")
            #expect(field.statuses == [431])
            let path = try await server.answer(to: "GET /\(long)")
            #expect(path.statuses == [414])
        }
    }

    @Test func `a client that is silent, or slow with a head, is cut off`() async throws {
        try await withServer {
            $0.idleLimit = .seconds(1)
        } routes: {
            routes(&$0)
        } _: { server in
            let silent = try server.connect()
            let slow = try server.connect()
            defer {
                silent.close()
                slow.close()
            }
            let dripping = Task {
                await slow.send("GET /a HTTP/1.1\r\nHost: a\r\nX: ")
                // The client is never silent for as long as the limit.
                while await slow.send("x") { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(await silent.rest() == "")
            try await dripping.value
        }
    }

    @Test func `a client that disconnects within a request is released long before the limit`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let gate = Gate()
        try await withServer {
            $0.idleLimit = .seconds(600)
        } routes: {
            routes(&$0)
            $0.add(.get, "/block") { _ in
                begin.yield()
                gate.wait()
                return .text("a")
            }
        } _: { server in
            var begun = begins.makeAsyncIterator()
            let began = ContinuousClock.now
            let chunked = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            for text in [
                "G", "GET /a HTTP/1.1\r\n", "GET /a HTTP/1.1\r\nHost: a", chunked + "5\r\nhel", chunked + "0\r\n",
            ] {
                // Blocks the server's only thread until all bytes have arrived, so that it gets them in one read.
                let blocking = try server.connect()
                await blocking.send("GET /block HTTP/1.1\r\nHost: a\r\n\r\n")
                await begun.next()
                let connection = try server.connect()
                await connection.send(text)
                connection.finish()
                gate.open()
                #expect(await connection.rest() == "")
                connection.close()
                blocking.close()
            }
            // A connection in a test gives up after 120 s.
            #expect(ContinuousClock.now - began < .seconds(120))
        }
    }

    @Test func `a late handler is cancelled with a reply, and a late body is cut off`() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let gate = Gate()
        @Sendable func late() async throws -> ServerResponse {
            defer { end.yield() }
            try await Task.sleep(for: .seconds(600))
            return .text("late")
        }
        try await withServer {
            $0.requestLimit = .milliseconds(200)
        } routes: {
            routes(&$0)
            $0.add(.get, "/late") { _ in try await late() }
            $0.add(.get, "/late-to-begin") { _ in
                gate.wait(milliseconds: 400)
                return try await late()
            }
        } _: { server in
            var ended = ends.makeAsyncIterator()
            let late = try await server.answers(to: "GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(late.statuses == [503, 404])
            await ended.next()
            let blocked = try await server.answers(to: "GET /late-to-begin HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(blocked.statuses == [503, 404])
            await ended.next()
            let half = try await server.answer(to: "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234")
            #expect(half == "")
            let failures = server.failures.withLock { $0 }
            #expect(failures == [])
        }
    }

    /// Two places: for all clients together, or for each client.
    @Test(arguments: [true, false])
    func `when all connections are taken, the longest idle one is closed`(ofAll: Bool) async throws {
        try await withServer {
            if ofAll { $0.connections = 2 } else { $0.connectionsPerClient = 2 }
            $0.quietBeforeLeaving = .zero
        } routes: {
            routes(&$0)
        } _: { server in
            let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
            var connections: [RawConnection] = []
            for _ in 0..<5 {
                let connection = try server.connect()
                connections.append(connection)
                await connection.send(request)
                #expect(await connection.read(until: "\r\n\r\na").statuses == [200])
            }
            for connection in connections.dropLast(2) { #expect(await connection.rest() == "") }
            for connection in connections.suffix(2) {
                await connection.send(request)
                #expect(await connection.read(until: "\r\n\r\na").statuses == [200])
            }
            for connection in connections { connection.close() }
        }
    }

    @Test(arguments: [true, false])
    func `after a burst over the limit, the server accepts connections again`(ofAll: Bool) async throws {
        try await withServer {
            if ofAll { $0.connections = 2 } else { $0.connectionsPerClient = 2 }
            $0.quietBeforeLeaving = .zero
        } routes: {
            routes(&$0)
        } _: { server in
            let request = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let connections = try (0..<200).map { _ in try server.connect() }
            for connection in connections {
                await connection.send(request)
                #expect(await [[], [200], [503]].contains(connection.rest().statuses))
            }
            #expect(try await server.answer(to: request).statuses == [200])
            for connection in connections { connection.close() }
        }
    }

    @Test(arguments: [true, false])
    func `when all connections are busy, only the always-answered routes are served`(ofAll: Bool) async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer {
            if ofAll { $0.connections = 2 } else { $0.connectionsPerClient = 2 }
            $0.quietBeforeLeaving = .zero
        } routes: {
            routes(&$0)
            $0.add(.get, "/health", isAlwaysAnswered: true) { _ in .text("well") }
            $0.add(.get, "/work") { _ in
                begin.yield()
                try await Task.sleep(for: .seconds(600))
                return .text("late")
            }
        } _: { server in
            var begun = begins.makeAsyncIterator()
            let working = try (0..<2).map { _ in try server.connect() }
            for connection in working {
                await connection.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
                await begun.next()
            }
            for _ in 0..<50 {
                let refused = try await server.answer(to: post(100_000))
                #expect(refused.statuses == [503])
                #expect(refused.contains("Retry-After: 1\r\n") && refused.contains("Connection: close"))
                let well = try await server.answer(to: "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(well.statuses == [200])
                #expect(well.contains("Connection: close") && well.hasSuffix("well"))
            }
            for connection in working { connection.close() }
            // The connections are released, and then there is room again.
            try await pollUntil {
                try await server.answers(to: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n").statuses == [200, 404]
            }
        }
    }

    @Test func `the connection to close is the one whose last reply is the oldest`() async throws {
        try await withServer {
            ($0.connections, $0.quietBeforeLeaving) = (2, .zero)
        } routes: {
            routes(&$0)
        } _: { server in
            let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
            var connections: [RawConnection] = []
            // The first connection is the oldest, and was used last.
            for number in [0, 1, 0, 2, 0] {
                if number == connections.count { connections.append(try server.connect()) }
                await connections[number].send(request)
                #expect(await connections[number].read(until: "\r\n\r\na").statuses == [200])
            }
            #expect(await connections[1].rest() == "")
            for connection in connections { connection.close() }
        }
    }

    @Test func `a connection above the limit is a usual one when others are gone`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer {
            ($0.connections, $0.quietBeforeLeaving) = (2, .seconds(600))
        } routes: {
            routes(&$0)
            $0.add(.get, "/work") { _ in
                begin.yield()
                try await Task.sleep(for: .seconds(600))
                return .text("late")
            }
        } _: { server in
            var begun = begins.makeAsyncIterator()
            let working = try (0..<2).map { _ in try server.connect() }
            for connection in working {
                await connection.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
                await begun.next()
            }
            let above = try server.connect()
            #expect(try await server.answer(to: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n").statuses == [503])
            for connection in working { connection.close() }
            let request = "GET /a HTTP/1.1\r\nHost: a\r\n"
            try await pollUntil { try await server.answer(to: request + "Connection: close\r\n\r\n").statuses == [200] }
            for _ in 1...2 {
                await above.send(request + "\r\n")
                #expect(await above.read(until: "\r\n\r\na").statuses == [200])
            }
            above.close()
        }
    }

    @Test(arguments: [true, false])
    func `clients that hold every connection silently do not block the always-answered routes`(
        ofAll: Bool
    ) async throws {
        try await withServer {
            if ofAll { $0.connections = 4 } else { $0.connectionsPerClient = 4 }
            $0.reserve = 2
            $0.quietBeforeLeaving = .seconds(600)
        } routes: {
            $0.add(.get, "/health", isAlwaysAnswered: true) { _ in .text("well") }
        } _: { server in
            let request = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
            var connections: [RawConnection] = []
            for _ in 0..<20 {
                connections.append(try server.connect())
                // Half a head is not a request.
                await connections.last?.send(request)
                #expect(try await server.answer(to: request + "\r\n").statuses == [200])
            }
            for connection in connections { connection.close() }
        }
    }
}

/// Clients that are slow, or busy, and others that want to be served.
@Suite(.timeLimit(.minutes(10)))
struct SlowClientTests {
    private func routes(_ router: inout Router) {
        router.add(.get, "/a") { _ in .text("a") }
        router.add(.post, "/open") { request in .text("\(try await request.body.collect(upTo: 1 << 20).count)") }
        router.add(.post, "/known") { request in
            request.isAuthenticated.withLock { $0 = true }
            return .text("\(try await request.body.collect(upTo: 1 << 20).count)")
        }
    }

    private func post(_ path: String) -> String { "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n1" }
    private let get = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// Refused bodies, bodies that are read, and heads.
    @Test(arguments: ["/none", "/open", ""], [true, false])
    func `slow strangers give way to other clients`(path: String, ofAll: Bool) async throws {
        try await withServer {
            if ofAll { $0.connections = 4 } else { $0.connectionsPerClient = 4 }
            ($0.quietBeforeLeaving, $0.idleLimit, $0.unreadLimit) = (.zero, .seconds(600), .seconds(600))
        } routes: {
            routes(&$0)
        } _: { server in
            var slow: [RawConnection] = []
            for _ in 1...8 {
                let connection = try server.connect()
                slow.append(connection)
                await connection.send(path.isEmpty ? "POST /none HTTP/1.1\r\n" : post(path))
                // After the first reply the slow request has begun.
                for _ in 1...2 { #expect(try await server.answer(to: get).statuses == [200]) }
            }
            for connection in slow { connection.close() }
        }
    }

    @Test func `a slow client with a valid token keeps its connection, and strangers lose theirs`() async throws {
        try await withServer {
            $0.connections = 4
            ($0.quietBeforeLeaving, $0.idleLimit) = (.zero, .seconds(600))
        } routes: {
            routes(&$0)
        } _: { server in
            let known = try server.connect()
            await known.send(post("/known"))
            let quiet = try server.connect()
            await quiet.send(post("/known") + String(repeating: "x", count: 999))
            #expect(await quiet.read(until: "\r\n\r\n1000").statuses == [200])
            let slow = try (0..<8).map { _ in try server.connect() }
            for connection in slow {
                await connection.send(post("/open"))
                #expect(try await server.answer(to: get).statuses == [200])
            }
            await quiet.send(get)
            #expect(await quiet.rest().statuses == [200])
            await known.send(String(repeating: "x", count: 999))
            #expect(await known.read(until: "\r\n\r\n1000").statuses == [200])
            for connection in slow + [known, quiet] { connection.close() }
        }
    }

    @Test func `a refused request whose body does not come gets its reply soon`() async throws {
        try await withServer {
            ($0.idleLimit, $0.unreadLimit) = (.seconds(600), .milliseconds(100))
        } routes: {
            routes(&$0)
        } _: { server in
            let answer = try await server.answer(to: post("/none"))
            #expect(answer.statuses == [404] && answer.contains("Connection: close"))
        }
    }

    @Test func `a body that comes too slowly is cut off, although it never stops`() async throws {
        try await withServer {
            ($0.idleLimit, $0.slowestClient) = (.seconds(1), 1 << 30)
        } routes: {
            routes(&$0)
        } _: { server in
            let slow = try server.connect()
            await slow.send("POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            // The client is never silent for as long as the limit.
            while await slow.send("x") { try await Task.sleep(for: .milliseconds(50)) }
            #expect(await slow.rest() == "")
            slow.close()
        }
    }

    @Test func `a client with many requests delays another client by one request`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let gate = Gate()
        let order = Locked<[String]>([])
        try await withServer {
            routes(&$0)
            $0.add(.get, "/block", isQuick: true) { _ in
                begin.yield()
                gate.wait()
                return .text("a")
            }
            $0.add(.get, "/{client}", isQuick: true) { request in
                order.withLock { $0.append(request.path[0]) }
                return .text("a")
            }
        } _: { server in
            var begun = begins.makeAsyncIterator()
            let many = try (0..<50).map { _ in try server.connect() }
            let other = try RawConnection(to: server.port, from: 2)
            // All connections are accepted before the server's only thread is blocked.
            for connection in many + [other] {
                await connection.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = await connection.read(until: "\r\n\r\na")
            }
            order.withLock { $0 = [] }
            let blocking = try server.connect()
            await blocking.send("GET /block HTTP/1.1\r\nHost: a\r\n\r\n")
            await begun.next()
            for connection in many { await connection.send("GET /many HTTP/1.1\r\nHost: a\r\n\r\n") }
            await other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            gate.open()
            for connection in many + [other] { _ = await connection.read(until: "\r\n\r\na") }
            #expect(order.withLock { $0 }.prefix(2).contains("other"))
            for connection in many + [other, blocking] { connection.close() }
        }
    }
}

/// Blocks a whole thread, which a handler must never do.
private struct Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func wait(milliseconds: Int) { _ = semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) }
    func open() { semaphore.signal() }
}
