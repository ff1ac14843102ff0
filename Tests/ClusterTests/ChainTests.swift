import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Polling
import Postgres
import Processes
import Queue
import Testing

@testable import Questions

/// Workers of several lanes, and questions that move from one lane to the next.
@Suite(.database)
struct ChainTests {
    private let here = TestProvider.everywhere

    private func named(_ name: String, _ provider: TestProvider) -> TestProvider {
        var provider = provider
        provider.name = name
        return provider
    }

    private let nobody = TestProvider { queries in queries.map { _ in .notFound } }

    /// Makes lanes with these names, and makes a chain of them the default.
    private func chain(_ links: Chain.Link..., located: Double = 0.01, on database: Database) async throws {
        try await database.transaction { db in
            for link in links where link.lane != "gazetteer" {
                try JobQueue().prepareLane(link.lane, batch: 1, limits: [], attribution: "", on: db)
                try JobQueue().change(link.lane, on: db) { $0.firstRetry = .milliseconds(1) }
            }
            try ChainStore().set("default", to: Chain(links, located: located, review: 0.001), on: db)
        }
    }

    private func value<Value: SQLValue>(_ sql: SQL, on database: Database) async throws -> Value {
        try await database.run { try $0.query(sql)[0].read("value") }
    }

    @Test func `a question not found by one lane goes to the next, in a new job with its trail`() async throws {
        let database = try Database.test
        try await chain(.init("gazetteer", steps: [.structured]), .init("second"), on: database)
        try await fill(database, with: 5)
        try await with(worker(nobody, named("second", here), on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.located: 5])
        }
        #expect(
            try await value(
                "SELECT count(*) AS value FROM geocodes WHERE provider = 'second' AND link = 1", on: database)
                == 5)
        #expect(
            try await value(
                """
                SELECT count(*) AS value FROM geocodes
                WHERE trail->0->>'lane' = 'gazetteer' AND trail->0->>'result' = 'knows no such place'
                """, on: database) == 5)
        #expect(try await value("SELECT count(*) AS value FROM calls WHERE outcome = 'moved'", on: database) == 5)
    }

    @Test func `a question skips a provider that does not cover its country`() async throws {
        let database = try Database.test
        try await chain(.init("gazetteer", steps: [.structured]), .init("second"), on: database)
        try await fill(database, with: 2)
        try await database.run { try $0.query("UPDATE geocodes SET country = 'Finland' WHERE street = '1 Main St'") }
        let asked = Locked(0)
        var american = TestProvider { addresses in
            asked.withLock { $0 += addresses.count }
            return addresses.map(TestProvider.house)
        }
        american.terms.countries = ["US"]
        try await with(worker(american, named("second", here), on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.located: 2])
        }
        #expect(asked.withLock { $0 } == 1)
        #expect(try await value("SELECT count(*) AS value FROM geocodes WHERE provider = 'second'", on: database) == 1)
    }

    @Test func `each step of the ladder is a call of its own`() async throws {
        let database = try Database.test
        try await chain(.init("gazetteer"), on: database)
        try await fill(database, with: 1)
        let forms = Locked<[String]>([])
        try await with(
            worker(
                TestProvider { addresses in
                    forms.withLock { $0.append(addresses[0].street) }
                    return [.notFound]
                }, on: database)
        ) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.notFound: 1])
        }
        #expect(forms.withLock { $0 } == ["1 Main St", "1 Main St", "Main St", ""])
        #expect(try await value("SELECT count(*) AS value FROM calls", on: database) == 4)
        #expect(try await value("SELECT expires_at > now() + '89 days' AS value FROM geocodes", on: database) == true)
    }

    @Test func `a provider that stays down is skipped and does not count as an answer`() async throws {
        let database = try Database.test
        try await chain(.init("gazetteer"), .init("second"), on: database)
        try await setLane("most_failures = 2, breaker_after = 1000", on: database)
        try await fill(database, with: 4)
        let down = TestProvider { _ throws(ProviderError) in throw .unavailable(reason: "it is down") }
        try await with(worker(down, named("second", here), on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.located: 4])
        }
        #expect(try await value("SELECT count(*) AS value FROM dead_jobs", on: database) == 0)
        try await database.run { try $0.query("UPDATE geocodes SET expires_at = now()") }
        _ = try await database.run { try GeocodeStore().expire(10, on: $0) }
        _ = try await database.run { try QuestionQueue().enqueueWaiting(10, on: $0) }
        try await with(worker(down, named("second", nobody), on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.failed: 4])
        }
        #expect(
            try await value(
                "SELECT count(*) AS value FROM geocodes WHERE reason = 'gazetteer did not look: it is down'",
                on: database) == 4)
    }

    @Test func `questions leave a lane with a used-up quota if another lane can take them`() async throws {
        let database = try Database.test
        try await chain(.init("gazetteer"), .init("second"), on: database)
        try await fill(database, with: 3)
        // A question without another lane keeps waiting.
        try await database.transaction { db in
            try ChainStore().set("default", to: Chain([.init("gazetteer")]), on: db)
            let writer = ContactWriter()
            let friend = Friend(
                sourceKey: "x", name: "",
                addresses: [LabelledAddress(label: "", address: Address(city: "Ely"))])
            _ = try writer.store([friend], account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
        let exhausted = TestProvider { _ throws(ProviderError) in throw .quotaExhausted(resetIn: .seconds(86_400)) }
        try await with(worker(exhausted, named("second", here), on: database, callsAtOnce: 1)) { () async throws in
            try await pollUntil {
                try await value("SELECT blocked_until IS NOT NULL AS value FROM lanes WHERE id = 1", on: database)
            }
            let term = try await lead(database)
            _ = try await coordinator(database).perform(.divert, under: term)
            try await pollUntil { try await counts(database).located == 3 }
        }
        #expect(try await counts(database).byStatus == [.located: 3, .waiting: 1])
        #expect(try await value("SELECT count(*) AS value FROM jobs", on: database) == 1)
    }

    @Test func `the jobs of a halted lane that ends every chain are not read`() async throws {
        let database = try Database.test
        try await fill(database, with: 2)
        try await database.run { db throws in
            try db.query("UPDATE lanes SET blocked_until = now() + interval '1 day', blocked_because = 'no quota'")
            let scans: Int = try db.transaction { db in
                _ = try QuestionQueue().leaveHaltedLanes(patience: .seconds(600), limit: 10, on: db)
                return try db.query(
                    "SELECT seq_scan + idx_scan AS scans FROM pg_stat_xact_user_tables WHERE relname = 'jobs'"
                )[0].read("scans")
            }
            #expect(scans == 0)
        }
    }

    @Test func `after too few answers to a mixed batch, each question is called alone`() async throws {
        let database = try Database.test
        try await fill(database, with: 2)
        let queue = JobQueue()
        try await database.transaction { db in
            let chain = try #require(try ChainStore().current("reverse", on: db))
            let coordinate = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
            _ = try GeocodeStore().ask([CoordinateCell(coordinate)], along: chain, on: db)
            // One job with addresses and a coordinate.
            try db.query("DELETE FROM jobs")
            let ids: [Int] = try db.query("SELECT id FROM geocodes ORDER BY id").map { try $0.read("id") }
            try queue.change("gazetteer", on: db) { $0.batch = 500 }
            let jobs = try queue.enqueue(ids, in: "gazetteer", on: db)
            try GeocodeStore().move(to: jobs, on: db)
        }
        try await with(worker(here, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).located == 3)
        }
        #expect(try await value("SELECT count(*) AS value FROM calls", on: database) == 2)
    }

    private func coordinator(_ database: Database) -> Coordinator {
        Coordinator(
            name: "c", database: database, registry: ProcessRegistry(), log: silent)
    }

    private func lead(_ database: Database) async throws -> Leadership.Term {
        try #require(
            try await database.run { db throws in
                let id = try ProcessRegistry().register(.coordinator, name: "c", host: "here", pid: 1, on: db)
                return try Leadership().acquire(for: id, within: .seconds(60), on: db)
            })
    }
}
