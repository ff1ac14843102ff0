import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Glibc
import HTTP
import HTTPTesting
import Postgres
import Providers
import Questions
import Queue
import Testing

/// A plan compared with the run that it predicts: real workers, and a provider at a socket.
@Suite(.database, .serialized)
struct PlannedRunTests {
    private struct Regime {
        var limit: String?
        var call: Duration = .milliseconds(20)
        var workers = 1
        var callsAtOnce = 16
        /// The gazetteer is called first and finds every other house.
        var beginsInGazetteer = false
        /// The number of questions for the measurements, and of the planned ones.
        var before = 40
        let count: Int
    }

    /// Other work on this machine may slow down one run after its plan, but not every run.
    private static let most = 6

    /// The planned time of a part, and the time of the provider's calls for it. Repeats until they agree.
    private func planAndRun(_ regime: Regime) async throws -> [(planned: Double, real: Double)] {
        let database = try Database.test
        let witness = Witness { _ in
            usleep(UInt32(regime.call / .microseconds(1)))
            return nil
        }
        let server = try ScriptedServer { witness.answer(to: $0) }
        defer { server.stop() }
        witness.stand(at: server)
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = NominatimProvider(server: try #require(HTTPURL(server.url)), language: "en", http: client)
        let links = [Chain.Link("gazetteer", steps: [.structured]), Chain.Link("nominatim", steps: [.structured])]
        let chain = Chain(regime.beginsInGazetteer ? links : [links[1]])
        try await database.transaction { db in
            try JobQueue().prepareLane(
                "nominatim", batch: 1, limits: regime.limit.flatMap { RateLimit(text: $0) }.map { [$0] } ?? [],
                attribution: "", on: db)
            try JobQueue().prepareLane("gazetteer", batch: 500, limits: [], attribution: "", on: db)
            try ChainStore().set("default", to: chain, on: db)
        }
        let changes = try await Changes(of: ["geocodes"], in: database)
        let workers = (1...regime.workers).map { number in
            Worker(
                name: "ada \(number)", database: database,
                works: [GeocodingWork(provider), GeocodingWork(Self.gazetteer)], registry: ProcessRegistry(),
                callsAtOnce: regime.callsAtOnce, log: silent)
        }
        let share = regime.beginsInGazetteer ? 2 : 1
        var runs: [(planned: Double, real: Double)] = []
        try await with(workers[...]) {
            try await store(1...regime.before, in: database)
            try await waitUntilAnswered(database, changes)
            var done = regime.before
            while runs.count < Self.most, !agree(runs) {
                let planned = try await plan(regime, after: done, provider, database)
                try await store(done + 1...done + regime.count, in: database)
                try await waitUntilAnswered(database, changes)
                let moments = witness.moments
                #expect(moments.count == (done + regime.count) / share)
                let span: Duration = moments[done / share].duration(to: moments[moments.count - 1])
                runs.append((planned, (span + regime.call) / .seconds(1)))
                done += regime.count
            }
        }
        await client.close()
        return runs
    }

    /// Returns true if the last plan is within a tenth of what the runs took. On an idle machine they all take the same
    /// time. On a busy one no plan can be closer than the runs are to each other.
    private func agree(_ runs: [(planned: Double, real: Double)]) -> Bool {
        guard let planned = runs.last?.planned, let shortest = runs.map(\.real).min(),
            let longest = runs.map(\.real).max()
        else { return false }
        return shortest * 0.9 < planned && planned < longest * 1.1
    }

    private func plan(
        _ regime: Regime, after done: Int, _ provider: NominatimProvider, _ database: Database
    ) async throws -> Double {
        try await database.run { db in
            let stored = try ChainStore().current("default", on: db)
            let chain = try #require(stored)
            let survey = try Survey.read(along: chain, workers: ProcessRegistry(), on: db)
            var load = ChainLoad(along: chain.plan)
            for number in done + 1...done + regime.count { load.add(Self.address(number)) }
            let ways = ChainWays(
                load, terms: ["nominatim": provider.terms, "gazetteer": Self.gazetteer.terms],
                answered: survey.ways)
            #expect(ways.known == done)
            let (scenario, facts) = survey.scenario(
                for: ways, inWorker: ["gazetteer"], wishes: Wishes(), callsAtOnce: regime.callsAtOnce)
            #expect(scenario.workers == regime.workers)
            #expect(facts.last?.source == .measured(calls: done / (regime.beginsInGazetteer ? 2 : 1)))
            let plan = WorkPlan(scenario, longest: ways.work(.longest))
            // The witness sees the calls of the last link's provider.
            return try #require(plan.most.lanes.last).lastEnd
        }
    }

    /// Finds even house numbers only.
    private static let gazetteer = TestProvider { addresses in
        addresses.map { address in
            let number = Int(address.street.prefix { $0.isNumber }) ?? 0
            return number.isMultiple(of: 2) ? TestProvider.house(address) : .notFound
        }
    }

    private static func address(_ number: Int) -> Address { Address(street: "\(number) Main St", city: "Reno") }

    private func store(_ numbers: ClosedRange<Int>, in database: Database) async throws {
        let friends = numbers.map {
            Friend(
                sourceKey: "\($0)", name: "Friend",
                addresses: [LabelledAddress(label: "", address: Self.address($0))])
        }
        try await database.transaction { db in
            _ = try ContactWriter().store(
                friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
    }

    private func waitUntilAnswered(_ database: Database, _ changes: Changes) async throws {
        for await _ in changes.values {
            if try await counts(database).waiting == 0 { return }
        }
    }

    private func with(_ workers: ArraySlice<Worker>, _ body: () async throws -> Void) async throws {
        guard let first = workers.first else { return try await body() }
        try await ClusterTests.with(first) { try await with(workers.dropFirst(), body) }
    }

    private func expectWithinATenth(_ regime: Regime) async throws {
        let runs = try await planAndRun(regime)
        #expect(agree(runs), "planned and took, in seconds: \(runs)")
    }

    @Test func `a run bound by its limits takes as long as planned`() async throws {
        try await expectWithinATenth(Regime(limit: "50/s", count: 150))
    }

    @Test func `a run bound by its concurrent calls takes as long as planned, also with two workers`() async throws {
        try await expectWithinATenth(
            Regime(call: .milliseconds(400), workers: 2, callsAtOnce: 4, before: 32, count: 64))
    }

    @Test func `a run along two links takes as long as planned from past arrivals at the second`() async throws {
        try await expectWithinATenth(Regime(limit: "30/s", beginsInGazetteer: true, count: 180))
    }
}
