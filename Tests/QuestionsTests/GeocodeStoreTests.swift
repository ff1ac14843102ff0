import DatabaseTesting
import Geocoding
import Postgres
import Queue
import Testing

@testable import Questions

@Suite(.database)
struct GeocodeStoreTests {
    private let store = GeocodeStore()
    private let home = Address(street: "1 Main St", city: "Reno", region: "NV", country: "US")
    private let sameHome = Address(street: "1  MAIN ST", city: "reno", region: "Nevada", country: "USA")
    private let work = Address(street: "2 Main St", city: "Reno", region: "NV", country: "US")

    private func ask(_ addresses: [Address], on db: isolated Connection) throws -> [Int] {
        try ask(addresses, in: [], on: db).map(\.id)
    }

    private func ask(
        _ addresses: [Address], in jobs: [Int], batch: Int = 1, on db: isolated Connection
    ) throws -> [AskedQuestion] {
        try store.ask(
            addresses.map { NewQuestion($0) }, along: chain(on: db),
            in: [ReservedJobs(link: 0, jobs: jobs, batch: batch)], on: db)
    }

    private func chain(on db: isolated Connection) throws -> StoredChain {
        try #require(try ChainStore().current("default", on: db))
    }

    /// Records the turns of questions, without regard to their jobs.
    private func record(_ turns: [(Int, Turn)], on db: isolated Connection) throws {
        let chain = try chain(on: db).plan
        try store.record(
            turns.map { (Question(id: $0, subject: .address(home), chain: chain), $1) }, from: "test", on: db)
    }

    private func place(_ latitude: Double, _ longitude: Double, from provider: String = "test") throws -> Turn {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)))
        place.locality = "Reno"
        return .located(
            Place(
                placemark: place, precision: .city, areaConfidence: 0.75, provider: provider, step: .freeForm))
    }

    @Test func `PostgreSQL computes the same confidence of a point`() async throws {
        try await Database.test.run { db throws in
            for precision in Precision.allCases {
                for isWeak in [false, true] {
                    let row = try db.query(
                        """
                        SELECT \(part: Place.confidence(of: "stored"))::float8 AS confidence
                        FROM (VALUES (0.9::real, \(precision.rawValue)::text, \(isWeak)::boolean))
                            AS stored (confidence, precision, is_weak)
                        """)[0]
                    let expected = precision.confidence(area: 0.9, isWeak: isWeak)
                    #expect(abs(try row.read("confidence", as: Double.self) - expected) < 1e-4, "\(precision)")
                }
            }
        }
    }

    @Test func `the trail contains every call of a question that goes on, in order`() async throws {
        try await Database.test.run { db throws in
            let id = try #require(try ask([home], on: db).first)
            for (step, because) in [
                (LadderStep.freeForm, "knows no such place"), (.withoutUnit, "refused: no"), (nil, nil),
            ] {
                let onward = Turn.Onward(
                    lane: "gazetteer", link: 0, step: step, candidates: nil, failure: nil, because: because)
                try record([(id, .goesOn(onward))], on: db)
            }
            // The last one was not called.
            let trail = try #require(try store.geocode(id, on: db)).trail
            #expect(trail.map(\.result) == ["knows no such place", "refused: no"])
        }
    }

    @Test func `the first chain has the thresholds of the program`() async throws {
        let first = try await Database.test.run { try chain(on: $0).plan }
        #expect(first == Chain([.init("gazetteer")]))
    }

    @Test func `an address is asked once, in any spelling and however often`() async throws {
        try await Database.test.run { db throws in
            #expect(try ask([home, work, sameHome], on: db).count == 2)
            #expect(try ask([sameHome, work], on: db).isEmpty)
            #expect(try store.counts(on: db).waiting == 2)
        }
    }

    @Test func `the names of a place are stored unchanged`() async throws {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
        (place.name, place.locality, place.postalCode) = ("\"Ö\" \\ \t\u{1}\u{7F} ☃", "Reno", "")
        let candidate = Place(placemark: place, precision: .city, areaConfidence: 0.75, provider: "test")
        let placemark = place
        try await Database.test.run { db throws in
            let id = try #require(try ask([home], on: db).first)
            try record([(id, .located(candidate))], on: db)
            #expect(try store.geocode(id, on: db)?.place?.placemark == placemark)
        }
    }

    @Test func `a question belongs only to the job that contains it`() async throws {
        try await Database.test.run { db throws in
            let asked = try ask([home, work], in: [7, 8], on: db)
            #expect(Set(asked.map(\.job)) == [7, 8])
            let ids = asked.map(\.id)
            #expect(
                try store.questions(ids, of: [7, 9], on: db).mapValues { $0.map(\.id) }
                    == [7: asked.filter { $0.job == 7 }.map(\.id)])
            try store.move(to: [QueuedJob(id: 9, subjects: [ids[0]])], on: db)
            #expect(try store.questions(ids, of: [9], on: db)[9]?.map(\.id) == [ids[0]])
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).isEmpty)
        }
    }

    @Test func `known addresses leave no gaps in the jobs of new ones`() async throws {
        try await Database.test.run { db throws in
            _ = try ask([home], on: db)
            let cities = (1...3).map { Address(city: "City \($0)") } + [home, work]
            let asked = try ask(cities, in: [1, 2, 3], batch: 2, on: db)
            #expect(asked.map(\.job) == [1, 1, 2, 2])
        }
    }

    @Test func `a question is noted as unqueued at first and when it loses its job`() async throws {
        try await Database.test.run { db throws in
            let id = try ask([home], on: db)[0]
            #expect(try rows("DELETE FROM unqueued_geocodes RETURNING geocode", on: db)[0].read("geocode") == id)
            try db.query("UPDATE geocodes SET job = 1")
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).isEmpty)
            try db.query("UPDATE geocodes SET job = NULL")
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).count == 1)
        }
    }

    @Test func `setting a job or a place updates no index of the table`() async throws {
        try await Database.test.transaction { db throws in
            let ids = try ask([home, work], on: db)
            try db.query("UPDATE geocodes SET job = 1")
            try record([(ids[0], place(1, 1)), (ids[1], place(2, 2))], on: db)
            let row = try rows(
                """
                SELECT n_tup_upd AS updated, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables
                WHERE relname = 'geocodes'
                """, on: db)[0]
            #expect(try row.read("updated") == 4)
            #expect(try row.read("hot") == 4)
        }
    }

    @Test func `an answer is stored whole and ends the waiting`() async throws {
        try await Database.test.run { db throws in
            let ids = try ask([home, work], on: db)
            try record([(ids[0], place(39.5296, -119.8138)), (ids[1], .notFound([]))], on: db)
            let row = try rows(
                """
                SELECT latitude, longitude, precision, provider, placemark::text, confidence, step, expires_at IS NULL AS stays
                FROM geocodes WHERE id = \(ids[0])
                """,
                on: db)[0]
            #expect(try row.read("latitude") == 39.5296)
            #expect(try row.read("longitude") == -119.8138)
            #expect(try row.read("placemark") == "{\"locality\": \"Reno\"}")
            #expect(try row.read("confidence") == 0.75)
            #expect(try row.read("step") == "free form")
            #expect(try row.read("stays") == true)
            let reasons = try rows("SELECT reason FROM geocodes ORDER BY id", on: db)
            #expect(try reasons[0].readIfPresent("reason", as: String.self) == nil)
            #expect(try reasons[1].read("reason") == "not found")
            let counts = try store.counts(on: db)
            #expect(counts.byStatus == [.located: 1, .notFound: 1])
            #expect(counts.byPrecision == [.city: 1])
        }
    }

    @Test func `a repeated answer changes nothing`() async throws {
        try await Database.test.run { db throws in
            let id = try ask([home], on: db)[0]
            try record([(id, place(1, 1, from: "first"))], on: db)
            try record([(id, .notFound([]))], on: db)
            try store.fail([id], because: "third", from: "third", on: db)
            let row = try rows("SELECT provider, latitude FROM geocodes", on: db)[0]
            #expect(try row.read("provider") == "first")
            #expect(try row.read("latitude") == 1.0)
        }
    }

    @Test func `a failed question has its reason`() async throws {
        try await Database.test.run { db throws in
            let id = try ask([home], on: db)[0]
            try store.fail([id], because: "the provider was busy", from: "gazetteer", on: db)
            #expect(try rows("SELECT reason FROM geocodes", on: db)[0].read("reason") == "the provider was busy")
            #expect(try store.counts(on: db).failed == 1)
        }
    }

    @Test(arguments: [
        "UPDATE geocodes SET status = 'located'",
        "UPDATE geocodes SET latitude = 1, longitude = 1, precision = 'city'",
        "UPDATE geocodes SET status = 'located', latitude = 91, longitude = 1, precision = 'city'",
        "UPDATE geocodes SET status = 'located', latitude = 1, longitude = 1, precision = 'roughly'",
        "UPDATE geocodes SET status = 'not_found', job = 1",
        "UPDATE geocodes SET status = 'failed'",
        "UPDATE geocodes SET expires_at = now()",
        "UPDATE geocodes SET hash = '\\x00'",
        "UPDATE geocodes SET status = 'needs_review'",
        "UPDATE geocodes SET confidence = 1.5",
        "UPDATE geocodes SET at_latitude = 1",
        "UPDATE geocodes SET status = 'not_found', pinned_at = now(), expires_at = now()",
    ]) func `the table refuses contradictory rows`(_ statement: String) async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { db throws in
                _ = try ask([home], on: db)
                try db.run(script: statement)
            }
        }
        #expect(error?.sqlState == "23514")
    }
}
