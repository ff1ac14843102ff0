import Cluster
import DatabaseTesting
import Dispatch
import Glibc
import HTTP
import HTTPTesting
import Polling
import Postgres
import Processes
import Providers
import Questions
import Queue
import Schema
import ServerTesting
import Testing

/// The clock of the database's host is set while workers call. The provider's socket measures the effect.
@Suite(.timeLimit(.minutes(10)))
struct ClockStepTests {
    private let limit = RateLimit(20, per: .seconds(1), burst: 10)

    /// Sets the lane's limit, and stores more addresses than it permits.
    private func prepare(_ database: Database, _ limit: RateLimit? = nil, addresses: Int = 1_000) async throws {
        _ = try await Schema.prepare(database)
        try await database.transaction { [limit = limit ?? self.limit] db in
            try JobQueue().prepareLane(
                "nominatim", batch: 1, limits: [limit].compactMap(\.self), attribution: "", on: db)
            try ChainStore().set("default", to: Chain([.init("nominatim")]), on: db)
        }
        try await fill(database, with: addresses)
    }

    private func worker(_ name: String, asking url: String, on database: Database, _ log: Log) throws -> Worker {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = NominatimProvider(server: try #require(HTTPURL(url)), language: "en", http: client)
        return Worker(
            name: name, database: database, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
            callsAtOnce: 200, log: log)
    }

    @Test(arguments: [0.5, 5, -600])
    func `a clock step exceeds no limit and delays no call for long`(_ step: Double) async throws {
        let clock = try await SettableClock()
        let folder = "/tmp/waypost-clock-step-\(getpid())-\(Int(step * 10))"
        let server = try await PrivateServer.start(in: folder, .temporary, environment: clock.environment)
        let database = Database(url: server.url, options: .init(size: 8))
        try await prepare(database)
        // Ten calls are running when the clock is set, because their replies wait for it.
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
        let coordinator = Coordinator(name: "c", database: database, registry: ProcessRegistry(), log: log)
        let leading = Task { try await coordinator.run {} }
        try await with(try worker("ada", asking: service.url, on: database, log)) { () async throws in
            try await pollUntil { witness.moments.count >= 40 }
            clock.set(to: .seconds(step))
            setting.leave()
            let before = witness.moments.count
            // A worker that starts now has only seen the new clock.
            try await with(try worker("bob", asking: service.url, on: database, log)) {
                try await wait("60 more calls") { witness.moments.count >= before + 60 }
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
    }

    @Test(arguments: [2_600.0, 83_333, -3_000])
    func `a slewed clock exceeds no limit, and the audit agrees with the provider`(
        _ partsPerMillion: Double
    ) async throws {
        let clock = try await SettableClock()
        let folder = "/tmp/waypost-clock-slew-\(getpid())-\(Int(partsPerMillion))"
        let server = try await PrivateServer.start(in: folder, .temporary, environment: clock.environment)
        let database = Database(url: server.url, options: .init(size: 8))
        let limit = try #require(RateLimit(200, per: .seconds(1), burst: 4))
        try await prepare(database, limit, addresses: 5_000)
        let witness = Witness()
        let service = try ScriptedServer { witness.answer(to: $0) }
        defer { service.stop() }
        let coordinator = Coordinator(name: "c", database: database, registry: ProcessRegistry(), log: silent)
        let leading = Task { try await coordinator.run {} }
        try await with(try worker("ada", asking: service.url, on: database, silent)) { () async throws in
            try await with(try worker("bob", asking: service.url, on: database, silent)) {
                try await wait("200 calls") { witness.moments.count >= 200 }
                clock.slew(by: partsPerMillion)
                try await wait("1,200 more calls") { witness.moments.count >= 1_400 }
                clock.slew(by: 0)
                try await wait("400 more calls") { witness.moments.count >= 1_800 }
            }
        }
        leading.cancel()
        try await leading.value
        let audit = try await database.transaction { try JobQueue().audit("nominatim", last: .seconds(3_600), on: $0) }
        await database.close()
        await server.stop()
        // A call that slipped, because its process was stopped, left late.
        #expect(witness.excess(rate: 200, burst: 4, slack: .milliseconds(20)) <= Double(audit.slipped))
        // As exactly as the provider's times are known on a busy machine.
        #expect(audit.calls.limits[0].excess <= limit.perSecond * 0.02)
    }

    /// The first offset is set while no process runs, the others while some run. The processes start on the host that
    /// last checked the clock, or on another one.
    struct DarkStep: Sendable, CustomTestStringConvertible {
        let offsets: [Double]
        let isSameHost: Bool
        var testDescription: String { "\(offsets) s, \(isSameHost ? "the same host" : "another host")" }
        /// On another host, a step forwards looks like elapsed time.
        var isNoticed: Bool { isSameHost || offsets[0] < 0 }
    }

    @Test(arguments: [
        DarkStep(offsets: [600], isSameHost: true), DarkStep(offsets: [600], isSameHost: false),
        DarkStep(offsets: [-600], isSameHost: true), DarkStep(offsets: [-600], isSameHost: false),
        // A host boots with a slow clock, which is then set right.
        DarkStep(offsets: [-600, 0], isSameHost: true), DarkStep(offsets: [-600, 0], isSameHost: false),
    ])
    func `a clock step while no process runs exceeds no limit and delays no call for long`(
        _ step: DarkStep
    ) async throws {
        let clock = try await SettableClock()
        let folder = "/tmp/waypost-clock-dark-\(getpid())-\(abs("\(step.offsets) \(step.isSameHost)".hashValue))"
        let server = try await PrivateServer.start(in: folder, .temporary, environment: clock.environment)
        let database = Database(url: server.url, options: .init(size: 8))
        try await prepare(database)
        let witness = Witness()
        let service = try ScriptedServer { witness.answer(to: $0) }
        defer { service.stop() }
        let registry = ProcessRegistry(silenceLimit: .seconds(3))
        func run(_ name: String, _ body: () async throws -> Void) async throws {
            let coordinator = Coordinator(name: name, database: database, registry: registry, log: silent)
            let leading = Task { try await coordinator.run {} }
            try await with(try worker(name, asking: service.url, on: database, silent)) { try await body() }
            leading.cancel()
            try await leading.value
        }
        try await run("ada") {
            try await wait("40 calls") { witness.moments.count >= 40 }
            try await database.run { try $0.run(script: Self.keepTheLiving) }
        }
        // The processes end as if they were killed.
        try await database.run { try $0.run(script: Self.bringBackTheDead) }
        if !step.isSameHost {
            try await database.run { try $0.run(script: "UPDATE server_clock SET checked_boot = 'another'") }
        }
        clock.set(to: .seconds(step.offsets[0]))
        try await run("bob") {
            for offset in step.offsets {
                clock.set(to: .seconds(offset))
                let before = witness.moments.count
                try await wait("40 more calls") { witness.moments.count >= before + 40 }
                try await wait("signs of a leader") {
                    try await database.run { db throws in
                        try Doctor(registry: registry).examine(on: db).contains {
                            $0.check == "leader" && $0.verdict == .ok
                        }
                    }
                }
            }
            try await database.transaction { db throws in
                let findings = try Doctor(registry: registry).examine(on: db)
                #expect(findings.contains { $0.check == "clock steps" } == step.isNoticed)
                let audit = try JobQueue().audit("nominatim", last: .seconds(3_600), on: db)
                #expect(!audit.calls.isExceeded, "\(audit.calls.limits[0].excess)")
                #expect(audit.clockSteps.isEmpty != step.isNoticed)
            }
        }
        await database.close()
        await server.stop()
        #expect(witness.excess(rate: 20, burst: 10, slack: .milliseconds(20)) <= 0)
    }

    private static let keepTheLiving = """
        CREATE TABLE kept_workers AS SELECT * FROM workers;
        CREATE TABLE kept_coordinators AS SELECT * FROM coordinators;
        CREATE TABLE kept_leadership AS SELECT * FROM leadership
        """
    private static let bringBackTheDead = """
        INSERT INTO workers OVERRIDING SYSTEM VALUE SELECT * FROM kept_workers;
        INSERT INTO coordinators OVERRIDING SYSTEM VALUE SELECT * FROM kept_coordinators;
        UPDATE leadership SET until = kept.until FROM kept_leadership AS kept
        """

    private func wait(_ what: String, until isDone: () async throws -> Bool) async throws {
        do { try await pollUntil(isDone) } catch  where Task.isCancelled {
            Issue.record("there were not \(what) until the time limit")
            throw error
        }
    }

    /// Checks our own reports, and which processes are registered.
    private func examine(_ database: Database, after step: Double) async throws {
        try await database.run { db throws in
            let steps = try JobQueue().clockSteps(last: .seconds(3_600), on: db)
            #expect(steps.count == 1)
            #expect(steps.allSatisfy { abs($0.size / .seconds(1) - step) < 0.1 })
            #expect(try Doctor().examine(on: db).contains { $0.check == "clock steps" })
            // The worker that began after the step has gone, and no process was removed.
            #expect(try rows("SELECT FROM workers WHERE name = 'ada'", on: db).count == 1)
            #expect(try rows("SELECT FROM leadership WHERE term = 1 AND until > now()", on: db).count == 1)
            #expect(try rows("SELECT FROM calls WHERE outcome = 'lost'", on: db).isEmpty)
        }
        try await database.transaction { db throws in
            let audit = try JobQueue().audit("nominatim", last: .seconds(3_600), on: db)
            #expect(!audit.calls.isExceeded)
            #expect(audit.clockSteps.count == 1)
            // The calls that were running during the step were not late for their slots. On a busy machine one may be.
            #expect(audit.slipped <= 2)
        }
    }
}
