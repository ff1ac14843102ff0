import Cluster
import Contacts
import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct CoordinatorTests {
    private func coordinator(_ database: Database, silenceLimit: Duration = .seconds(10)) -> Coordinator {
        Coordinator(
            name: "c", database: database, intake: Intake(queue: JobQueue(), lane: "gazetteer"),
            registry: ProcessRegistry(silenceLimit: silenceLimit), log: silent)
    }

    @Test func `a round frees the jobs of a worker that fell silent`() async throws {
        let database = try Database.test
        try await fill(database, with: 3)
        try await database.run { db throws in
            let ada = try ProcessRegistry().register(.worker, name: "ada", host: "here", pid: 1, on: db)
            _ = try JobQueue().claim(3, from: "gazetteer", for: ada, on: db)
        }
        try await coordinator(database).round()
        #expect(try await database.run { try JobQueue().lanes(on: $0).map(\.held) } == [3])
        try await database.run { try $0.query("UPDATE workers SET seen_at = now() - interval '11 seconds'") }
        try await coordinator(database).round()
        #expect(try await database.run { try JobQueue().lanes(on: $0).map(\.ready) } == [3])
    }

    @Test func `a round picks up what another program wrote, and two at once pick it up once`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            try db.run(
                script: """
                    INSERT INTO accounts (name) VALUES ('foreign');
                    INSERT INTO friends (account, source_key, name) SELECT id, 'k', 'n' FROM accounts;
                    INSERT INTO addresses (friend, position, city)
                    SELECT friends.id, n, 'City ' || n FROM friends, generate_series(1, 50) AS n;
                    """)
        }
        async let one: Void = coordinator(database).round()
        async let other: Void = coordinator(database).round()
        _ = try await (one, other)
        try await coordinator(database).round()
        try await database.run { db throws in
            #expect(try rows("SELECT FROM addresses WHERE hash IS NULL", on: db).isEmpty)
            let subjects = try rows("SELECT unnest(subjects) AS id FROM jobs", on: db).map {
                try $0.read("id", as: Int.self)
            }
            #expect(subjects.count == 50)
            #expect(Set(subjects).count == 50)
        }
    }

    @Test func `a coordinator has a row while it runs, and none after`() async throws {
        let database = try Database.test
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let run = Task { try await coordinator(database).run { isReady.yield() } }
        for await _ in ready { break }
        #expect(
            try await database.run {
                try ProcessRegistry().isAlive(.coordinator, host: ProcessIdentity.current.host, on: $0)
            })
        run.cancel()
        try await run.value
        #expect(try await database.run { try $0.query("SELECT FROM coordinators").isEmpty })
    }
}
