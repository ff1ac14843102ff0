import Cluster
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Points
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

/// A worker that runs while points are loaded, as the role of workers.
@Suite(.database)
struct LaneTests {
    private struct Towns: GeocodingProvider {
        let name = "gazetteer"
        let terms = ProviderTerms(batch: 500, canReverse: true, finest: .postcode)

        func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
            queries.map { query in
                var place = Placemark(coordinate: point("0", "", "Dorf").coordinate, locality: query.address.city)
                place.countryCode = query.countryCode
                return .located(place, .city)
            }
        }
    }

    private func worker(on database: Database) -> Worker {
        Worker(
            name: "ada", database: database, works: [GeocodingWork(Towns())],
            readLanes: { try PointSetStore().lanes(on: $0) { GeocodingWork($0) } },
            registry: ProcessRegistry(),
            callsAtOnce: 4, log: Log(format: .logfmt) { _ in })
    }

    private func store(_ streets: [String], in database: Database) async throws {
        try await database.run { db in
            let friends = streets.map { street in
                Friend(
                    sourceKey: street, name: "Friend",
                    addresses: [
                        LabelledAddress(
                            label: "",
                            address: Address(street: street, city: "Dorf", postcode: "1234", country: "Austria"))
                    ])
            }
            _ = try ContactWriter().store(
                friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
        }
    }

    /// `Hauptstraße 1: houses rooftop`
    private func answers(_ database: Database) async throws -> [String] {
        try await database.query(
            """
            SELECT concat(street, ': ', provider, ' ', precision, CASE WHEN is_weak THEN ' weak' END) AS text
            FROM geocodes
            WHERE shadow_of IS NULL
            ORDER BY street COLLATE "C"
            """
        ).map { try $0.read("text") }
    }

    private func waitForAnswers(_ database: Database) async throws {
        try await pollUntil {
            try await database.run { try rows("SELECT FROM geocodes WHERE status = 'waiting'", on: $0).isEmpty }
        }
    }

    @Test func `a running worker answers from a set and from its new version`() async throws {
        let database = try Database.test
        let workers = try Database.test(as: "waypost_worker")
        let worker = worker(on: workers)
        let run = Task { try await worker.run {} }
        try await store(["Hauptstraße 1"], in: database)
        try await waitForAnswers(database)
        #expect(try await answers(database) == ["Hauptstraße 1: gazetteer city weak"])
        // Loading asks nothing again, and new addresses go to the new lane.
        try await load([point("1", "Hauptstraße"), point("2", "Hauptstraße")], into: database)
        try await store(["Hauptstr. 2", "Nirgends 1"], in: database)
        try await waitForAnswers(database)
        #expect(
            try await answers(database) == [
                "Hauptstr. 2: houses rooftop",
                "Hauptstraße 1: gazetteer city weak",
                "Nirgends 1: gazetteer city weak",
            ])
        let rematch = Rematch(RematchSelection(AnswerFilter(isWeak: true)))
        #expect(try await rematch.run(rematch.outlook(on: database), by: me, on: database) == 2)
        try await waitForAnswers(database)
        #expect(try await answers(database)[1] == "Hauptstraße 1: houses rooftop")
        // The new version has another country, so its lane is made again.
        try await load([point("3", "Hauptstraße"), point("4", "Hauptstraße", country: "DE")], into: database)
        try await store(["Hauptstraße 3"], in: database)
        try await waitForAnswers(database)
        #expect(try await answers(database)[2] == "Hauptstraße 3: houses rooftop")
        // No question is stuck in the lane of a dropped set, although it began on a chain with that lane.
        try await database.run { try $0.run(script: "UPDATE lanes SET paused_at = now() WHERE name = 'gazetteer'") }
        try await store(["Hauptstraße 4"], in: database)
        _ = try await PointSetStore().drop("houses", by: me, on: database)
        try await database.transaction { _ = try JobQueue().resume("gazetteer", on: $0) }
        try await waitForAnswers(database)
        #expect(try await answers(database)[3] == "Hauptstraße 4: gazetteer city weak")
        run.cancel()
        try await run.value
        await workers.close()
    }
}
