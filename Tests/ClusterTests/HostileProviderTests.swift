import Cluster
import Contacts
import DatabaseTesting
import Formats
import Foundation
import Geocoding
import HTTP
import HTTPTesting
import Postgres
import Processes
import Providers
import Questions
import Queue
import Testing

/// A service that contains every house, and often returns a fault instead.
private final class MoodyServer: Sendable {
    private let moods = Locked((calls: 0, faults: 0, random: UInt64(7)))

    var calls: Int { moods.withLock { $0.calls } }
    var faults: Int { moods.withLock { $0.faults } }

    func answer(to request: ScriptedRequest) -> ScriptedAnswer {
        let mood = moods.withLock { state in
            state.calls += 1
            state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Rate and quota faults are rare, because each blocks the lane for a second.
            let mood =
                state.calls % 1_500 == 700 ? 900 : state.calls % 1_500 == 1_400 ? 901 : Int(state.random >> 33) % 100
            if mood < 10 || mood >= 900 { state.faults += 1 }
            return mood
        }
        return switch mood {
        case 0..<3: .status(500)
        case 3..<5: .json("<html>502 Bad Gateway</html>", type: "text/html")
        case 5..<7: .truncated(#"[{"lat": "60.1"#, promising: 500)
        case 7..<9: .json(#"[{"lat": "north", "lon": []}]"#)
        case 9: .hang
        case 900: .status(429, [("Retry-After", "1")])
        case 901: .status(402, [("Retry-After", "1")])
        default: .json(house(request))
        }
    }

    /// Exactly the house in the request.
    private func house(_ request: ScriptedRequest) -> String {
        let street = (request.query["street"] ?? "0 None").split(separator: " ", maxSplits: 1)
        return #"""
            [{"lat": "39.5", "lon": "-119.8", "category": "place", "type": "house", "addresstype": "place",
              "place_rank": 30, "display_name": "", "address": {"house_number": "\#(street[0])", "road": "\#(street[1])",
              "city": "Reno", "state": "Nevada", "country": "United States", "country_code": "us"}}]
            """#
    }
}

@Suite(.database)
struct HostileProviderTests {
    @Test func `ten thousand addresses are answered correctly although the service fails in every way`() async throws {
        let database = try Database.test
        let moody = MoodyServer()
        let server = try ScriptedServer { moody.answer(to: $0) }
        defer { server.stop() }
        var options = HTTPClient.Options(userAgent: "Waypost")
        // Far longer than a good reply takes, also on a busy machine. One call in a hundred hangs for this long.
        options.totalLimit = .seconds(3)
        let client = HTTPClient(options)
        let provider = NominatimProvider(server: try #require(HTTPURL(server.url)), language: "en", http: client)
        try await database.transaction { db in
            try JobQueue().prepareLane("nominatim", batch: 1, limits: [], attribution: "", on: db)
            try JobQueue().change("nominatim", on: db) {
                $0.firstRetry = .milliseconds(1)
                $0.longestRetry = .milliseconds(20)
                $0.mostFailures = 20
                $0.breakerAfter = 1_000
            }
            try ChainStore().set("default", to: Chain([.init("nominatim")]), on: db)
            let writer = ContactWriter()
            let account = try ContactStore().openAccount(named: "default", on: db)
            for thousand in 0..<10 {
                let friends = (0..<1_000).map { number in
                    // Each address belongs to two friends.
                    let address = Address(
                        street: "\((thousand * 1_000 + number) / 2 + 1) Main Street", city: "Reno", country: "US")
                    return Friend(
                        sourceKey: "\(thousand * 1_000 + number)", name: "",
                        addresses: [LabelledAddress(label: "", address: address)])
                }
                _ = try writer.store(friends, account: account, on: db)
            }
        }
        let workers = ["ada", "bob"].map {
            Worker(
                name: $0, database: database, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
                callsAtOnce: 16, log: silent)
        }
        try await with(workers[0]) { () async throws in
            try await with(workers[1]) { () async throws in _ = try await waitForAnswers(database) }
        }
        await client.close()

        #expect(try await counts(database).byStatus == [.located: 5_000])
        let progress = try await database.run { try ContactStore().progress(account: "default", on: $0) }
        #expect(progress.located == 10_000)
        // Each fault costs one more call, and nothing else does.
        #expect(moody.faults > 300)
        #expect(moody.calls == 5_000 + moody.faults)
        let logged: [String: Int] = try await database.run { db in
            try Dictionary(
                uniqueKeysWithValues: db.query("SELECT outcome, count(*) AS calls FROM calls GROUP BY outcome").map {
                    (try $0.read("outcome"), try $0.read("calls"))
                })
        }
        #expect(logged.values.reduce(0, +) == moody.calls)
        #expect(logged["done"] == 5_000)
        #expect((logged["rate"] ?? 0) >= 3 && (logged["quota"] ?? 0) >= 3)
        // A blocked lane waits: after the running calls, no call is made for a second.
        let silences: Int = try await database.query(
            """
            SELECT count(*) AS silences
            FROM (SELECT started_at - lag(started_at) OVER (ORDER BY started_at) AS gap FROM calls) AS gaps
            WHERE gap > interval '0.9 seconds'
            """)[0].read("silences")
        #expect(silences >= 6)
    }
}
