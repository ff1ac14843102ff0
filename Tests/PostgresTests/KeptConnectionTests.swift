import DatabaseTesting
import Polling
import Postgres
import Processes
import Testing

@Suite(.database)
struct KeptConnectionTests {
    /// Keeps a connection that listens to `news` while `body` runs. The first act is over then.
    private func with(
        _ pool: Database, patience: Duration = .milliseconds(20),
        act: @escaping @Sendable (isolated Connection) throws -> Void = { _ in },
        _ body: (KeptConnection, AsyncStream<Hearing>) async throws -> Void
    ) async throws {
        let kept = KeptConnection(beside: pool, waitLimit: .seconds(30), patience: patience, usual: .seconds(600))
        let (hearings, hear) = AsyncStream.makeStream(of: Hearing.self)
        let (acts, acted) = AsyncStream.makeStream(of: Void.self)
        let keeping = Task {
            while !Task.isCancelled {
                // After the connection broke, another one is kept.
                try? await kept.keep(listeningTo: ["news"], every: .seconds(600), hear: { hear.yield($0) }) {
                    try act($0)
                    acted.yield()
                }
            }
        }
        #expect(await next(hearings) == .listening)
        for await _ in acts { break }
        try await body(kept, hearings)
        keeping.cancel()
        await keeping.value
        await kept.close()
    }

    private func next(_ hearings: AsyncStream<Hearing>) async -> Hearing? {
        for await hearing in hearings { return hearing }
        return nil
    }

    private func pool() throws -> Database { Database(url: try Database.testURL, options: .init(size: 1)) }

    private func news(_ text: String) -> Hearing { .heard(Notification(channel: "news", payload: text)) }

    @Test func `notifications and short statements share one connection`() async throws {
        let pool = try pool()
        // On a busy machine a statement may wait for longer than usual.
        try await with(pool, patience: .seconds(600)) { kept, hearings in
            for number in 1...3 {
                try await kept.run { _ = try $0.query("SELECT pg_notify('news', \("\(number)"))") }
                #expect(await next(hearings) == news("\(number)"))
            }
            #expect(pool.use.idle == 0)
        }
        await pool.close()
    }

    @Test func `a notification is heard while the pool runs a long statement`() async throws {
        let pool = try pool()
        let (held, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        try await with(pool) { _, hearings in
            let statement = Task {
                try await pool.run { _ in
                    held.arriveAndWait()
                    released.arriveAndWait()
                }
            }
            await held.arrive()
            try await Database.test.query("NOTIFY news, 'one'")
            #expect(await next(hearings) == news("one"))
            await released.arrive()
            try await statement.value
        }
        await pool.close()
    }

    @Test func `statements that a long one delays go to the pool`() async throws {
        let pool = try pool()
        let (held, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        try await with(pool) { kept, _ in
            let long = Task {
                try await kept.run { _ in
                    held.arriveAndWait()
                    released.arriveAndWait()
                }
            }
            await held.arrive()
            // Otherwise these would wait for ever.
            for _ in 1...3 { try await kept.run { _ = try $0.query("SELECT 1") } }
            #expect(pool.use.idle == 1)
            await released.arrive()
            try await long.value
        }
        await pool.close()
    }

    @Test func `a cancelled statement ends, and the connection still hears`() async throws {
        let pool = try pool()
        let begun = Rendezvous(of: 2)
        try await with(pool) { kept, hearings in
            let statement = Task {
                try await kept.run { db throws in
                    begun.arriveAndWait()
                    try db.query("SELECT pg_sleep(600)")
                }
            }
            await begun.arrive()
            statement.cancel()
            await #expect(throws: CancellationError.self) { try await statement.value }
            try await Database.test.query("NOTIFY news, 'one'")
            #expect(await next(hearings) == news("one"))
        }
        await pool.close()
    }

    @Test func `statements go to the pool while the connection is broken, and it listens again`() async throws {
        let pool = try pool()
        try await with(pool) { kept, hearings in
            await #expect(throws: DatabaseError.self) {
                try await kept.run { _ = try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
            }
            try await kept.run { _ = try $0.query("SELECT 1") }
            #expect(await next(hearings) == .listening)
            try await Database.test.query("NOTIFY news, 'one'")
            #expect(await next(hearings) == news("one"))
        }
        await pool.close()
    }
}
