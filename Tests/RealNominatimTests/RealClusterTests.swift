import Cluster
import Contacts
import DatabaseTesting
import Geocodes
import Geocoding
import Glibc
import HTTP
import Operations
import Postgres
import Providers
import Queue
import Testing

/// A cluster whose provider is a real server: as fast as that can be asked, and no call too many.
@Suite(.database, .realNominatim, .serialized, .timeLimit(.minutes(5)))
struct RealClusterTests {
    private static let callsAtOnce = 4
    private static let registry = ProcessRegistry(silenceLimit: .seconds(2))
    private static let log = Log(format: .logfmt) { _ in }

    @Test func `two workers ask a thousand addresses, each once and at the pace of bare calls`() async throws {
        let server = try #require(RealNominatim.running)
        let addresses = try await server.addresses(1_000)
        try #require(addresses.count == 1_000)
        let database = try Database.test
        // Bare before and after, for the machine's speed drifts; the first pass fills the server's caches.
        _ = try await bare(server, addresses)
        let before = try await bare(server, addresses)
        let known = try server.searches().count
        try await fill(database, with: addresses)
        let cluster = try await timed {
            try await run([worker("ada", server, on: database), worker("bob", server, on: database)], on: database)
        }
        let searches = try server.searches().dropFirst(known)
        #expect(searches.count == 1_000)
        #expect(Set(searches).count == 1_000)
        let after = try await bare(server, addresses)
        let counts = try await database.run { try GeocodeStore().counts(on: $0) }
        print(
            "bare \(1_000 / before) and \(1_000 / after), cluster \(1_000 / cluster) calls a second; \(counts.byStatus)"
        )
        #expect(counts.waiting == 0 && counts.located > 900)
        #expect(1_000 / cluster >= 0.95 * (1_000 / before + 1_000 / after) / 2)
    }

    @Test func `killing a worker costs at most the calls that it had under way`() async throws {
        let server = try #require(RealNominatim.running)
        let addresses = try await server.addresses(200)
        let database = try Database.test
        try await fill(database, with: addresses)
        let known = try server.searches().count
        let url = try Database.testURL
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as String] in
            let database = Database(url: url, options: .init(size: 4))
            let worker = try Self.worker("doomed", try #require(RealNominatim.running), on: database, dyingAfter: 40)
            try await worker.run {}
        }
        let asked = try server.searches().count - known
        #expect(asked >= 40)
        try await run([worker("ada", server, on: database)], on: database)
        let counts = try await database.run { try GeocodeStore().counts(on: $0) }
        #expect(counts.waiting == 0 && counts.located > 180)
        let searches = try server.searches().dropFirst(known)
        #expect(Set(searches).count == 200)
        #expect((200...200 + Self.callsAtOnce).contains(searches.count))
        print("a killed worker cost \(searches.count - 200) calls")
    }

    private func worker(_ name: String, _ server: RealNominatim, on database: Database) throws -> Worker {
        try Self.worker(name, server, on: database)
    }

    private static func worker(
        _ name: String, _ server: RealNominatim, on database: Database, dyingAfter count: Int = .max
    ) throws -> Worker {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = MortalProvider(server.provider(client), dyingAfter: count)
        return Worker(
            name: name, database: database, works: [GeocodingWork(provider)], registry: registry,
            callsAtOnce: callsAtOnce, log: log)
    }

    /// Runs the workers and a coordinator until everything is answered.
    private func run(_ workers: [Worker], on database: Database) async throws {
        let coordinator = Coordinator(
            name: "eve", database: database, intake: Intake(queue: JobQueue()), registry: Self.registry,
            interval: .milliseconds(200), log: Self.log)
        try await withThrowingTaskGroup { group in
            group.addTask { try await coordinator.run {} }
            for worker in workers { group.addTask { try await worker.run {} } }
            while try await database.run({ try GeocodeStore().counts(on: $0) }).waiting > 0 {
                try await Task.sleep(for: .milliseconds(20))
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    /// A lane without limits, and nobody else to ask.
    private func fill(_ database: Database, with addresses: [Address]) async throws {
        try await database.transaction { db throws in
            try JobQueue().prepareLane("nominatim", batch: 1, limits: [], attribution: "", on: db)
            let chain = Chain([.init("nominatim", steps: [.structured])], located: 0.01, review: 0.001)
            _ = try ChainStore().set("default", to: chain, on: db)
        }
        let friends = addresses.enumerated().map {
            Friend(sourceKey: "\($0)", name: "Friend", addresses: [LabelledAddress(label: "", address: $1)])
        }
        try await database.run { db throws in
            let intake = Intake(queue: JobQueue())
            _ = try intake.store(friends, account: intake.account(named: "default", on: db), on: db)
        }
    }

    /// How many seconds the same calls take with no cluster around them, as many at once.
    private func bare(_ server: RealNominatim, _ addresses: [Address]) async throws -> Double {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = server.provider(client)
        let rest = Locked(addresses[...])
        let seconds = try await timed {
            try await withThrowingTaskGroup { group in
                for _ in 1...2 * Self.callsAtOnce {
                    group.addTask {
                        while let address = rest.withLock({ $0.popFirst() }) {
                            _ = try await provider.geocode([Query(address)])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await client.close()
        return seconds
    }

    private func timed(_ body: () async throws -> Void) async throws -> Double {
        try await ContinuousClock().measure(body) / .seconds(1)
    }
}

/// Kills the process in the middle of a call.
private struct MortalProvider: GeocodingProvider {
    let provider: any GeocodingProvider
    let rest: Locked<Int>

    init(_ provider: any GeocodingProvider, dyingAfter count: Int) {
        self.provider = provider
        rest = Locked(count)
    }

    var name: String { provider.name }
    var terms: ProviderTerms { provider.terms }

    func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        let isLast = rest.withLock { rest in
            rest -= 1
            return rest == 0
        }
        let answers = try await provider.geocode(queries)
        if isLast { kill(getpid(), SIGKILL) }
        return answers
    }
}
