import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Polling
import Postgres
import Questions
import Queue
import Testing

/// Addresses whose town is known, while the provider that knows houses does not look. The results are checked at the
/// friend and in the progress, where a user sees them.
@Suite(.database)
struct ProvisionalTests {
    private let towns = TestProvider { addresses in addresses.map { _ in .located(TestProvider.reno, .city, score: 1) }
    }

    private func houses(
        _ answer: @escaping @Sendable ([Address]) async throws(ProviderError) -> [Answer]
    ) -> TestProvider { TestProvider(name: "houses", answer: answer) }

    private var down: TestProvider {
        houses { _ throws(ProviderError) in throw .unavailable(reason: "houses answered 500") }
    }

    /// Stores friends, and asks for their addresses along a chain of both providers, until each has an answer.
    private func locate(_ count: Int, with houses: TestProvider, on database: Database) async throws {
        try await database.transaction { db in
            try db.query("INSERT INTO lanes (name, most_failures, breaker_after) VALUES ('houses', 1, 1000)")
            try ChainStore().set(
                "default", to: Chain([.init("gazetteer"), .init("houses")], located: 0.01, review: 0.001), on: db)
        }
        try await fill(database, with: count)
        try await with(worker(towns, houses, on: database)) { _ = try await waitForAnswers(database) }
    }

    /// `located city provisional: the reason`: the first friend in an export, with the count of the progress.
    private func outcome(on database: Database) async throws -> String {
        try await database.run { db in
            let place = try #require(
                try ContactStore().places(PlaceFilter(account: "default"), limit: 1, on: db).first?.place)
            let counted = try ContactStore().progress(account: "default", on: db).provisional
            let account = try #require(try ContactStore().account(named: "default", on: db))
            #expect(try ContactStore().talliedProgress(account: account, on: db).progress.provisional == counted)
            return [
                place.status.rawValue, place.precision?.rawValue, counted > 0 ? "provisional" : nil, place.reason,
            ].compactMap(\.self).joined(separator: " ")
        }
    }

    private func askAgain(with houses: TestProvider, on database: Database) async throws {
        try await database.run { db in
            try db.query("UPDATE geocodes SET ask_again_at = now() WHERE ask_again_at > now() + interval '6 days'")
            #expect(try GeocodeStore().expire(100, on: db) == 1)
            #expect(try GeocodeStore().expire(100, on: db) == 0)
            #expect(try GeocodeStore().countShadows(on: db) == 1)
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 1)
        }
        try await with(worker(towns, houses, on: database)) {
            try await pollUntil { try await database.run { try GeocodeStore().countShadows(on: $0) } == 0 }
        }
    }

    private let marked = "located city provisional only the town was found; houses did not look: it answered 500"

    @Test(arguments: ["down", "refuses"])
    func `an address whose provider does not look keeps its town, marked`(how: String) async throws {
        let database = try Database.test
        let refusing = houses { addresses in addresses.map { _ in .refused(reason: "houses answered 500") } }
        try await locate(1, with: how == "down" ? down : refusing, on: database)
        #expect(try await outcome(on: database) == marked)
    }

    @Test func `a provisional answer is asked again until every provider looked, and its town stays`() async throws {
        let database = try Database.test
        try await locate(1, with: down, on: database)
        try await askAgain(with: down, on: database)
        #expect(try await outcome(on: database) == marked)
        try await askAgain(with: houses { $0.map { _ in .notFound } }, on: database)
        #expect(try await outcome(on: database) == "located city only the town was found")
        #expect(try await database.run { try GeocodeStore().expire(100, on: $0) } == 0)
    }

    @Test func `a provisional answer takes the house that is found later`() async throws {
        let database = try Database.test
        try await locate(1, with: down, on: database)
        try await askAgain(with: houses { $0.map(TestProvider.house) }, on: database)
        #expect(try await outcome(on: database) == "located rooftop")
    }

    @Test func `a town of a provider that now finds another one is no longer provisional`() async throws {
        let database = try Database.test
        try await locate(1, with: down, on: database)
        try await database.run { db in
            // The stored place is better than what the gazetteer finds now.
            try db.query("UPDATE geocodes SET confidence = 1, placemark = '{\"locality\": \"Reno\"}'")
        }
        try await askAgain(with: houses { $0.map { _ in .notFound } }, on: database)
        #expect(try await outcome(on: database) == "located city only the town was found")
    }
}
