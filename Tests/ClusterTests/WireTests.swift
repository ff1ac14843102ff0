import Cluster
import Contacts
import DatabaseTesting
import Glibc
import HTTP
import HTTPTesting
import Postgres
import Processes
import Providers
import Questions
import Queue
import Testing

/// The calls as the provider's socket sees them.
@Suite(.database)
struct WireTests {
    /// Runs one worker on `count` addresses of `copies` friends each, in a lane with these limits, until `isDone`.
    private func run(
        _ witness: Witness, jobs count: Int, copies: Int = 1, batch: Int = 1, limit: String?, callsAtOnce: Int,
        until isDone: (Database) async throws -> Bool
    ) async throws {
        let database = try Database.test
        let server = try ScriptedServer { witness.answer(to: $0) }
        defer { server.stop() }
        witness.stand(at: server)
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = NominatimProvider(server: try #require(HTTPURL(server.url)), language: "en", http: client)
        try await database.transaction { db in
            let queue = JobQueue()
            try queue.prepareLane(
                "nominatim", batch: batch, limits: limit.flatMap { RateLimit(text: $0) }.map { [$0] } ?? [],
                attribution: "", on: db)
            try queue.change("nominatim", on: db) {
                $0.firstRetry = .milliseconds(1)
                $0.longestRetry = .milliseconds(20)
                $0.mostFailures = 20
                $0.breakerAfter = 1_000
            }
            try ChainStore().set("default", to: Chain([.init("nominatim")]), on: db)
        }
        try await fill(database, with: count, copies: copies)
        let changes = try await Changes(of: ["geocodes", "lanes"], in: database)
        let worker = Worker(
            name: "ada", database: database, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
            callsAtOnce: callsAtOnce, log: silent)
        try await with(worker) { () async throws in
            for await _ in changes.values {
                if try await isDone(database) { break }
            }
        }
        await client.close()
    }

    private func isAnswered(_ database: Database) async throws -> Bool { try await counts(database).waiting == 0 }

    private func logged(_ database: Database) async throws -> [Double] {
        try await database.run { db in
            try db.query("SELECT extract(epoch FROM started_at)::double precision AS at FROM calls ORDER BY 1").map {
                try $0.read("at")
            }
        }
    }

    @Test func `calls delayed by a slow provider do not leave together once it replies`() async throws {
        let start = ContinuousClock.now
        let witness = Witness { _ in
            // All replies are sent at the same time.
            while start.duration(to: .now) < .seconds(2.5) { usleep(1_000) }
            return nil
        }
        try await run(witness, jobs: 250, limit: "100/s", callsAtOnce: 400, until: isAnswered)
        #expect(witness.moments.count == 250)
        #expect(witness.excess(rate: 100, burst: 10, slack: .milliseconds(20)) <= 0)
    }

    @Test func `a call on a connection that was closed is made once, and each call is logged`() async throws {
        let witness = Witness { $0 % 5 == 0 ? .close : nil }
        try await run(witness, jobs: 100, limit: "200/s", callsAtOnce: 50, until: isAnswered)
        let log = try await logged(try Database.test)
        #expect(log.count == witness.moments.count)
        #expect(witness.moments.count == 125 || witness.moments.count == 124)
        #expect(witness.excess(rate: 200, burst: 20, slack: .milliseconds(20)) <= 0)
    }

    @Test func `the log has each call's time as the provider saw it`() async throws {
        let witness = Witness()
        try await run(witness, jobs: 100, limit: "100/s", callsAtOnce: 50, until: isAnswered)
        let log = try await logged(try Database.test)
        #expect(log.count == witness.moments.count)
        // The witness is an ordinary thread and sees some calls late, but none before it left.
        let late = zip(log, witness.wallMoments).map { $1 - $0 }.sorted()
        #expect(late[0] > -0.002, "\(late[0])")
        #expect(late[50] < 0.005, "\(late[50])")
    }

    @Test func `throughput equals the provider's count at each moment, with slow and failed calls`() async throws {
        // Every tenth call is closed without a reply, and each takes some time.
        let witness = Witness { number in
            usleep(150_000)
            return number % 10 == 0 ? .close : nil
        }
        let looks = Locked<[(asOf: Double, calls: [Int])]>([])
        try await run(witness, jobs: 200, limit: "100/s", callsAtOnce: 50) { database in
            let throughput = try await database.run { try JobQueue().throughput(on: $0) }
            let lane = throughput.lanes.first { $0.name == "nominatim" }
            let worker = throughput.workers.first
            let calls = [ThroughputSpan.tenSeconds, .minute, .hour].flatMap { span in
                [lane?.spans[span], worker?.spans[span]].compactMap { $0?.counts.calls }
            }
            looks.withLock { $0.append((throughput.asOf / .seconds(1), calls)) }
            return try await isAnswered(database)
        }
        let moments = witness.wallMoments
        for (asOf, calls) in looks.withLock({ $0 }) {
            // A slot that a busy machine misses counts as running until the worker gives it back.
            let (least, most) = (moments.count { $0 < asOf - 1 }, moments.count { $0 < asOf + 1 })
            #expect(calls.allSatisfy { least...most ~= $0 }, "\(calls) are not \(least) to \(most)")
        }
        #expect(looks.withLock { $0.last?.calls.first } == moments.count)
        #expect(looks.withLock { $0.count } > 20)
    }

    @Test func `saved calls are the answered addresses minus the provider's calls`() async throws {
        // Every fifth call is closed without a reply and is made again.
        let witness = Witness { $0 % 5 == 0 ? .close : nil }
        let database = try Database.test
        try await run(witness, jobs: 20, copies: 3, limit: "200/s", callsAtOnce: 10, until: isAnswered)
        let saved = try await database.run { db in
            CallsSaved(
                answered: try ContactStore().talliedProgress(on: db).answered, lanes: try JobQueue().lanes(on: db))
        }
        #expect(saved.answered == 60)
        #expect(witness.moments.count > 20)
        #expect(saved.called == witness.moments.count)
        #expect(saved.saved == 60 - witness.moments.count)
    }

    @Test func `a job of many addresses takes a slot and a call for each address`() async throws {
        let witness = Witness()
        try await run(witness, jobs: 40, batch: 4, limit: "100/s:burst=1", callsAtOnce: 10, until: isAnswered)
        #expect(witness.moments.count == 40)
        #expect(try await logged(try Database.test).count == 40)
        #expect(witness.excess(rate: 100, burst: 1, slack: .milliseconds(20)) <= 0)
    }

    @Test func `a worker connects twice before its first claim, to do slow first steps early`() async throws {
        let witness = Witness()
        try await run(witness, jobs: 1, limit: "1/s:burst=1", callsAtOnce: 1, until: isAnswered)
        #expect(witness.moments.count == 1)
        // The third connection belongs to the call. A slot that a busy machine misses has opened one too.
        #expect(try #require(witness.connectionsAtFirst) >= 3)
    }

    @Test func `a provider that has moved is called once, and the lane shows the new address`() async throws {
        let witness = Witness { _ in .redirect(to: "http://localhost:1/search?q=secret", status: 301) }
        try await run(witness, jobs: 20, limit: "2/s:burst=1", callsAtOnce: 20) { database in
            try await database.run { try JobQueue().lane("nominatim", on: $0) }.condition != .open
        }
        #expect(witness.moments.count == 1)
        let lane = try await Database.test.run { try JobQueue().lane("nominatim", on: $0) }
        guard case .stopped(_, let because) = lane.condition else {
            Issue.record("\(lane.condition)")
            return
        }
        #expect(because.contains("http://localhost:1"))
        #expect(!because.contains("secret"))
    }

    @Test func `a redirect on the same server counts as the same call`() async throws {
        let witness = Witness { $0 % 4 == 0 ? .redirect(to: "/search?street=1%20Main%20St", status: 302) : nil }
        try await run(witness, jobs: 40, limit: "100/s", callsAtOnce: 20, until: isAnswered)
        #expect(try await logged(try Database.test).count == witness.moments.count)
    }
}
