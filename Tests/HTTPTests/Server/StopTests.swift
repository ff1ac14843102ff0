import HTTPTesting
import Polling
import Processes
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct StopTests {
    @Test func `a stop lets requests end, ends event streams, and takes no new connections`() async throws {
        let (gates, gate) = AsyncStream<Void>.makeStream()
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer { router in
            router.add(.get, "/wait") { _ in
                begin.yield()
                for await _ in gates { break }
                return .text("done, cancelled: \(Task.isCancelled)")
            }
            router.add(.get, "/events") { _ in
                var events = ServerResponse(
                    status: 200, headers: ["Content-Type": "text/event-stream"],
                    body: .stream { writer in
                        try await writer.write(Array("data: 7\n\n".utf8))
                        try? await Task.sleep(for: .seconds(600))
                    })
                events.isEndless = true
                return events
            }
        } _: { server in
            let waiting = try server.connect()
            await waiting.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            for await _ in begins { break }
            let listening = try server.connect()
            await listening.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await listening.read(until: "data: 7\n\n").contains("text/event-stream"))
            let idle = try server.connect()
            await idle.send("GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await idle.read(until: "here.\n").statuses == [404])

            server.task.cancel()
            #expect(await listening.rest() == "0\r\n\r\n")
            #expect(await idle.rest() == "")
            let late = try server.connect()
            await late.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await late.rest() == "")
            gate.yield()
            let answer = await waiting.rest()
            #expect(answer.contains("done, cancelled: false"))
            #expect(answer.contains("Connection: close"))
            try await server.task.value
            for connection in [waiting, listening, idle, late] { connection.close() }
        }
    }

    @Test func `requests that don't end in time are cut off and cancelled`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.stopLimit = .milliseconds(100)
            // No other limit may end the requests.
            ($0.idleLimit, $0.requestLimit) = (.seconds(600), .seconds(600))
        } routes: { router in
            router.add(.get, "/wait") { _ in
                begin.yield()
                try await Task.sleep(for: .seconds(600))
                return .text("done")
            }
            router.add(.get, "/stream") { _ in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        begin.yield()
                        while true { try await writer.write([UInt8](repeating: 120, count: 100_000)) }
                    })
            }
            router.add(.post, "/body") { request in
                begin.yield()
                return .text("\(try await request.body.collect(upTo: 100))")
            }
        } _: { server in
            var begun = begins.makeAsyncIterator()
            var connections: [RawConnection] = []
            for request in ["GET /wait", "GET /stream", "POST /body"] {
                let connection = try server.connect()
                await connection.send("\(request) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
                await begun.next()
                connections.append(connection)
            }
            server.task.cancel()
            try await server.task.value
            let cut = server.entries.withLock { $0.filter(\.wasCutOff).count }
            #expect(cut == 3)
            for connection in connections { connection.close() }
        }
    }

    @Test func `a stop waits one second for a handler that ignores cancellation`() async throws {
        let (gates, gate) = AsyncStream<Void>.makeStream()
        let (events, event) = AsyncStream<String>.makeStream()
        try await withServer {
            $0.stopLimit = .milliseconds(100)
            // No other limit may end the requests.
            ($0.idleLimit, $0.requestLimit) = (.seconds(600), .seconds(600))
        } routes: { router in
            router.add(.post, "/deaf") { request in
                event.yield("begun")
                // A separate task is not cancelled with the handler.
                await Task { for await _ in gates { break } }.value
                await #expect(throws: BodyError.brokenOff) { try await request.body.collect(upTo: 100) }
                event.yield("ended, cancelled: \(Task.isCancelled)")
                return .text("nobody reads this")
            }
        } _: { server in
            let connection = try server.connect()
            await connection.send("POST /deaf HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
            for await text in events {
                #expect(text == "begun")
                break
            }
            let began = ContinuousClock.now
            server.task.cancel()
            #expect(await connection.rest() == "")
            try await server.task.value
            #expect(.now - began >= .milliseconds(1_100))
            connection.close()
        }
        gate.yield()
        for await text in events {
            #expect(text == "ended, cancelled: true")
            break
        }
    }

    @Test func `the server's thread ends with the server`() async throws {
        weak var thread: LoopThread?
        do {
            let socket = try ListeningSocket("127.0.0.1", port: 0)
            let loop = try ServerLoop(HTTPServer(router: Router()), on: socket)
            try loop.start()
            thread = await loop.thread
            await loop.stop()
        }
        // A thread that runs holds its object.
        try await pollUntil { thread == nil }
    }
}
