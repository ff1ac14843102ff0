import Cluster
import DatabaseTesting
import Dispatch
import Geocodes
import Glibc
import HTTP
import HTTPTesting
import Hosting
import Operations
import Postgres
import Providers
import Queue
import Schema
import ServerTesting
import Testing

/// The clock of the database's host is set while workers call, and what the provider's socket sees of it.
@Suite(.timeLimit(.minutes(10)))
struct ClockStepTests {
    private let limit = RateLimit(20, per: .seconds(1), burst: 10)

    /// A database whose lane has the limit, and more addresses than it permits.
    private func prepare(_ database: Database) async throws {
        _ = try await Schema.prepare(database)
        try await database.transaction { [limit] db in
            try JobQueue().prepareLane(
                "nominatim", batch: 1, limits: [limit].compactMap(\.self), attribution: "", on: db)
            try ChainStore().set("default", to: Chain([.init("nominatim")]), on: db)
        }
        try await fill(database, with: 1_000)
    }

    private func worker(_ name: String, asking url: String, on database: Database, _ log: Log) throws -> Worker {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = NominatimProvider(server: try #require(HTTPURL(url)), language: "en", http: client)
        return Worker(
            name: name, database: database, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
            callsAtOnce: 200, log: log)
    }

    @Test(arguments: [0.5, 5, -600])
    func `a clock that is set costs no call too many, and no more than seconds`(_ step: Double) async throws {
        let clock = try await SettableClock()
        let folder = "/tmp/waypost-clock-step-\(getpid())-\(Int(step * 10))"
        let server = try await PrivateServer.start(in: folder, .temporary, environment: clock.environment)
        let database = Database(url: server.url, options: .init(size: 8))
        try await prepare(database)
        // Ten calls are under way when the clock is set, because their answers wait for that.
        let setting = DispatchGroup()
        setting.enter()
        let witness = Witness { number in
            if (31...40).contains(number) { _ = setting.wait(timeout: .now() + 30) }
            return nil
        }
        let service = try ScriptedServer { witness.answer(to: $0) }
        defer { service.stop() }
        let said = Locked([String]())
        let log = Log(format: .logfmt) { line in said.withLock { $0.append(line) } }
        let coordinator = Coordinator(
            name: "c", database: database, registry: ProcessRegistry(), log: log)
        let leading = Task { try await coordinator.run {} }
        var setAt = ContinuousClock.now
        try await with(try worker("ada", asking: service.url, on: database, log)) { () async throws in
            while witness.moments.count < 40 { try await Task.sleep(for: .milliseconds(5)) }
            clock.set(to: .seconds(step))
            setAt = .now
            setting.leave()
            // One that begins now knows no other clock.
            try await with(try worker("bob", asking: service.url, on: database, log)) {
                try? await Task.sleep(for: .seconds(5))
            }
            try await examine(database, after: step)
        }
        leading.cancel()
        try await leading.value
        await database.close()
        await server.stop()
        #expect(said.withLock { $0.count { $0.contains("the database's clock was set") } } == 1)
        let excess = witness.excess(rate: 20, burst: 10, slack: .milliseconds(20))
        #expect(excess <= 0)
        let later = witness.moments.count { $0 > setAt + .seconds(3) && $0 < setAt + .seconds(5) }
        #expect(later >= 30, "\(later) calls from the third second to the fifth")
    }

    /// What we say of ourselves, and who lives.
    private func examine(_ database: Database, after step: Double) async throws {
        try await database.run { db throws in
            let steps = try JobQueue().clockSteps(last: .seconds(3_600), on: db)
            #expect(steps.count == 1)
            #expect(steps.allSatisfy { abs($0.size / .seconds(1) - step) < 0.1 })
            #expect(try Doctor().examine(on: db).contains { $0.check == "clock steps" })
            // Who began after the step has gone, and nobody was struck off.
            #expect(try rows("SELECT FROM workers WHERE name = 'ada'", on: db).count == 1)
            #expect(try rows("SELECT FROM leadership WHERE term = 1 AND until > now()", on: db).count == 1)
            #expect(try rows("SELECT FROM calls WHERE outcome = 'lost'", on: db).isEmpty)
        }
        try await database.transaction { db throws in
            let audit = try JobQueue().audit("nominatim", last: .seconds(3_600), on: db)
            #expect(!audit.calls.isExceeded)
            #expect(audit.clockSteps.count == 1)
            // The calls that were under way just then were not late for their slots. On a busy machine one may be.
            #expect(audit.slipped <= 2)
        }
    }
}
