import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

/// Settings of a chain and a lane's log, at a provider that records what it is asked.
@Suite(.database)
struct ChainPaceTests {
    /// Takes lines, and finds nothing.
    private struct LineProvider: GeocodingProvider {
        let name = "gazetteer"
        let terms = ProviderTerms(forms: [.freeForm])
        let lines = Locked<[String]>([])

        func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
            lines.withLock { $0 += queries.map(\.line) }
            return queries.map { _ in .notFound }
        }
    }

    private func lineWorker(_ provider: LineProvider, _ database: Database) -> Worker {
        Worker(
            name: "ada", database: database, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
            callsAtOnce: 4, log: silent)
    }

    private func ask(along chain: Chain, on database: Database) async throws {
        try await fill(database, with: 0)
        try await database.transaction { db in
            try ChainStore().set("default", to: chain, on: db)
            let home = Address(street: "1 Main St, Apt 5", city: "Reno", region: "NV", postcode: "89501", country: "US")
            let friend = Friend(sourceKey: "1", name: "Ada", addresses: [LabelledAddress(label: "", address: home)])
            _ = try ContactWriter().store(
                [friend], account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
    }

    @Test(arguments: [
        (Query.LineOrder.postcodeFirst, "1 Main St, 89501, Reno, NV, US"),
        (.cityFirst, "1 Main St, Reno, NV, 89501, US"),
    ])
    func `an address on one line has its parts in the order of the chain`(
        order: Query.LineOrder, line: String
    ) async throws {
        let (database, provider) = (try Database.test, LineProvider())
        var chain = Chain([.init("gazetteer", steps: [.freeForm])])
        chain.lineOrder = order
        try await ask(along: chain, on: database)
        try await with(lineWorker(provider, database)) { _ = try await waitForAnswers(database) }
        #expect(provider.lines.withLock { $0 } == [line])
    }

    @Test func `between two calls for one address there is the pause of the chain`() async throws {
        let (database, provider) = (try Database.test, LineProvider())
        var chain = Chain([.init("gazetteer")])
        chain.pauseSeconds = 60
        try await ask(along: chain, on: database)
        let next: SQL = """
            SELECT (run_at - clock_timestamp() BETWEEN interval '50 seconds' AND interval '60 seconds')::text AS text
            FROM jobs WHERE worker IS NULL
            """
        func isNextInAMinute() async throws -> Bool {
            try await database.run { try $0.query(next).first?.read("text", as: String.self) == "true" }
        }
        try await with(lineWorker(provider, database)) {
            try await pollUntil { try await isNextInAMinute() }
            #expect(provider.lines.withLock { $0.count } == 1)
        }
        try await database.run { try $0.query("UPDATE jobs SET run_at = now()") }
        try await with(lineWorker(provider, database)) {
            try await pollUntil { provider.lines.withLock { $0.count } == 2 }
        }
    }

    @Test func `the log says when calls begin to fail and when they succeed again`() async throws {
        let database = try Database.test
        try await fill(database, with: 6)
        try await setLane("breaker_after = 1000, longest_retry = '1 millisecond', calls_at_once = 1", on: database)
        let (lines, calls) = (Locked<[String]>([]), Locked(0))
        let log = Log(format: .logfmt) { line in lines.withLock { $0.append(line) } }
        let provider = TestProvider { addresses throws(ProviderError) in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            if (2...4).contains(number) { throw .unavailable(reason: "it answered 503") }
            return addresses.map(TestProvider.house)
        }
        try await with(worker(provider, on: database, log: log)) { _ = try await waitForAnswers(database) }
        let told = lines.withLock { $0.filter { $0.contains("calls began") || $0.contains("calls succeed") } }
        #expect(told.count == 2, "\(told)")
        #expect(told.first?.contains("it answered 503") == true && told.first?.contains("lane=gazetteer") == true)
        #expect(told.last?.contains("failed_calls=3") == true)
    }
}
