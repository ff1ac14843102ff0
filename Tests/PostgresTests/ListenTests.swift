import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct ListenTests {
    @Test func `a listener gets the notifications of its channel, also after its backend was killed`() async throws {
        let database = try Database.test
        var hearings = database.listen(on: ["news", "odd \"channel\""]).makeAsyncIterator()
        #expect(await hearings.next() == .listening)
        try await database.run { db throws in
            try db.query("NOTIFY elsewhere, 'not for us'")
            try db.query("NOTIFY news, 'one'")
            try db.query("NOTIFY \(identifier: "odd \"channel\""), 'two'")
        }
        #expect(await hearings.next() == .heard(Notification(channel: "news", payload: "one")))
        #expect(await hearings.next() == .heard(Notification(channel: "odd \"channel\"", payload: "two")))

        try await database.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'
            """)
        #expect(await hearings.next() == .listening)
        try await database.run { try $0.query("NOTIFY news, 'three'") }
        #expect(await hearings.next() == .heard(Notification(channel: "news", payload: "three")))
    }

    @Test func `a listener ends with its task`() async throws {
        let database = try Database.test
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in database.listen(on: ["news"]) { start.yield() }
        }
        var starts = started.makeAsyncIterator()
        _ = await starts.next()
        task.cancel()
        await task.value
    }
}
