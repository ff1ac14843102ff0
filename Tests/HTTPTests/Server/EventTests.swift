import HTTP
import HTTPTesting
import Operations
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventTests {
    private func text(_ event: ServerSentEvent) -> String { String(decoding: event.bytes, as: UTF8.self) }

    @Test func `an event is written as browsers read it`() {
        #expect(text(ServerSentEvent("one\ntwo\r\n\r\nthree")) == "data: one\ndata: two\ndata:\ndata: three\n\n")
        #expect(text(ServerSentEvent("x", name: "tick", id: "7")) == "event: tick\nid: 7\ndata: x\n\n")
        #expect(text(ServerSentEvent("x", name: "a\ndata: b")) == "event: adata: b\ndata: x\n\n")
        #expect(text(ServerSentEvent("")) == "data:\n\n")
        #expect(text(.heartbeat) == ":\n\n")
        var event = ServerSentEvent()
        event.retry = .milliseconds(1500)
        #expect(text(event) == "retry: 1500\n\n")
    }

    @Test func `many listeners share one tick, and each comes in time`() async throws {
        let ticker = Broadcast<Int>()
        let asked = Locked(0)
        let ticking = Task {
            try await ticker.run(every: .milliseconds(20)) {
                asked.withLock {
                    $0 += 1; return $0
                }
            }
        }
        try await withServer { router in
            router.add(.get, "/events") { _ in .events(ticker.listen().map { ServerSentEvent("\($0)") }) }
        } _: { server in
            let seen = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let connection = try server.connect()
                        defer { connection.close() }
                        await connection.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                        return await connection.read(until: "data: ", times: 3).split(separator: "data: ").count - 1
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(seen.count == 100 && seen.allSatisfy { $0 >= 3 })
        }
        ticking.cancel()
        try await ticking.value
        // Once all is over, a listener hears that.
        for await _ in ticker.listen() {}
        #expect(ticker.listeners == 0)
        let count = asked.withLock { $0 }
        #expect(count >= 3)
    }
}
