import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Glibc
import HTTP
import Postgres
import Processes
import Providers
import Questions
import Queue
import Testing

/// A cluster whose provider is a real server: as fast as the server permits, and without unnecessary calls.
@Suite(.database, .realNominatim, .serialized)
struct RealClusterTests {
    private static let callsAtOnce = 4
    private static let registry = ProcessRegistry(silenceLimit: .seconds(2))
    private static let log = Log(format: .logfmt) { _ in }

    /// Bare calls and the cluster alternate, because the speed of a shared machine drifts by half in a minute. A round
    /// is short, so both have the same conditions. Storing the addresses is not measured.
    @Test func `two workers call for each of a thousand addresses once, as fast as bare calls`() async throws {
        let server = try #require(RealNominatim.running)
        let addresses = try await server.addresses(1_000)
        try #require(addresses.count == 1_000)
        let database = try Database.test
        try await prepareLane(on: database)
        // Fills the server's caches for both.
        _ = try await bare(server, addresses)
        var (bareSeconds, clusterSeconds, searches): (Double, Double, [String]) = (0, 0, [])
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let workers = ["ada", "bob"].map { Self.worker($0, server, client, on: database) }
        try await run(workers, on: database) {
            for round in 0..<4 {
                let part = Array(addresses[(round * 250)..<(round * 250 + 250)])
                if round % 2 == 0 { bareSeconds += try await bare(server, part) }
                let known = try server.searches().count
                try await fill(database, with: part)
                clusterSeconds += try await timed { try await waitForAnswers(database) }
                searches += try server.searches().dropFirst(known)
                if round % 2 == 1 { bareSeconds += try await bare(server, part) }
            }
        }
        await client.close()
        #expect(searches.count == 1_000)
        #expect(Set(searches).count == 1_000)
        let counts = try await database.run { try GeocodeStore().counts(on: $0) }
        #expect(counts.waiting == 0 && counts.located > 900)
        print("bare \(1_000 / bareSeconds), cluster \(1_000 / clusterSeconds) calls a second")
        #expect(bareSeconds / clusterSeconds >= 0.95)
    }

    @Test func `killing a worker costs at most its running calls`() async throws {
        let server = try #require(RealNominatim.running)
        let addresses = try await server.addresses(200)
        let database = try Database.test
        try await prepareLane(on: database)
        try await fill(database, with: addresses)
        let known = try server.searches().count
        let url = try Database.testURL
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as String] in
            let database = Database(url: url, options: .init(size: 4))
            let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
            let server = try #require(RealNominatim.running)
            let worker = Self.worker("doomed", server, client, on: database, dyingAfter: 40)
            try await worker.run {}
        }
        let asked = try server.searches().count - known
        #expect(asked >= 40)
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let heir = Self.worker("ada", server, client, on: database)
        try await run([heir], on: database) { try await waitForAnswers(database) }
        await client.close()
        let counts = try await database.run { try GeocodeStore().counts(on: $0) }
        #expect(counts.waiting == 0 && counts.located > 180)
        let searches = try server.searches().dropFirst(known)
        #expect(Set(searches).count == 200)
        #expect((200...200 + Self.callsAtOnce).contains(searches.count))
        print("a killed worker cost \(searches.count - 200) calls")
    }

    private static func worker(
        _ name: String, _ server: RealNominatim, _ client: HTTPClient, on database: Database,
        dyingAfter count: Int = .max
    ) -> Worker {
        let provider = MortalProvider(server.provider(client), dyingAfter: count)
        return Worker(
            name: name, database: database, works: [GeocodingWork(provider)], registry: registry,
            callsAtOnce: callsAtOnce, log: log)
    }

    /// Runs the workers and a coordinator until `body` returns.
    private func run(
        _ workers: [Worker], on database: Database, _ body: () async throws -> Void
    ) async throws {
        let coordinator = Coordinator(
            name: "eve", database: database, registry: Self.registry, log: Self.log)
        try await withThrowingTaskGroup { group in
            group.addTask { try await coordinator.run {} }
            for worker in workers { group.addTask { try await worker.run {} } }
            try await body()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    /// Polls, because no notification reports a stored answer, and a trigger for it would be measured too.
    private func waitForAnswers(_ database: Database) async throws {
        while try await database.run({ try GeocodeStore().counts(on: $0) }).waiting > 0 {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// A lane without limits, and no other lane in the chain.
    private func prepareLane(on database: Database) async throws {
        try await database.transaction { db throws in
            try JobQueue().prepareLane("nominatim", batch: 1, limits: [], attribution: "", on: db)
            let chain = Chain([.init("nominatim", steps: [.structured])], located: 0.01, review: 0.001)
            _ = try ChainStore().set("default", to: chain, on: db)
        }
    }

    /// Stores each address with its own friend.
    private func fill(_ database: Database, with addresses: [Address]) async throws {
        let friends = addresses.map {
            Friend(sourceKey: "\($0)", name: "Friend", addresses: [LabelledAddress(label: "", address: $0)])
        }
        try await database.run { db throws in
            let writer = ContactWriter()
            _ = try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
    }

    /// The seconds for the same concurrent calls without a cluster.
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
