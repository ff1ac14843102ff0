import DatabaseTesting
import Geocodes
import Geocoding
import Postgres
import Testing

@Suite(.database)
struct GeocodeStoreTests {
    private let store = GeocodeStore()
    private let home = Address(street: "1 Main St", city: "Reno", region: "NV", country: "US")
    private let sameHome = Address(street: "1  MAIN ST", city: "reno", region: "Nevada", country: "USA")
    private let work = Address(street: "2 Main St", city: "Reno", region: "NV", country: "US")

    private func ask(_ addresses: [Address], on db: isolated Connection) throws -> [Int] {
        try store.ask(addresses.map { (AddressHash($0), $0) }, on: db).map(\.id)
    }

    private func place(_ latitude: Double, _ longitude: Double) throws -> Placemark {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)))
        place.locality = "Reno"
        return place
    }

    @Test func `an address is asked once, however it is spelt and however often`() async throws {
        try await Database.test.run { db throws in
            #expect(try ask([home, work, sameHome], on: db).count == 2)
            #expect(try ask([sameHome, work], on: db).isEmpty)
            #expect(try store.counts(on: db).waiting == 2)
        }
    }

    @Test func `a question is in the job that carries it, and in no other`() async throws {
        try await Database.test.run { db throws in
            let asked = try store.ask([home, work].map { (AddressHash($0), $0) }, in: [7, 8], on: db)
            #expect(Set(asked.map(\.job)) == [7, 8])
            let ids = asked.map(\.id)
            #expect(
                try store.questions(ids, of: [7, 9], on: db).mapValues { $0.map(\.id) }
                    == [7: asked.filter { $0.job == 7 }.map(\.id)])
            try store.move([(id: 9, subjects: [ids[0]])], on: db)
            #expect(try store.questions(ids, of: [9], on: db)[9]?.map(\.id) == [ids[0]])
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).isEmpty)
        }
    }

    @Test func `known addresses leave no gaps in the jobs of the new ones`() async throws {
        try await Database.test.run { db throws in
            _ = try ask([home], on: db)
            let cities = (1...3).map { Address(city: "City \($0)") } + [home, work]
            let asked = try store.ask(cities.map { (AddressHash($0), $0) }, in: [1, 2, 3], batch: 2, on: db)
            #expect(asked.map(\.job) == [1, 1, 2, 2])
        }
    }

    @Test func `a question without a job is noted, and one that loses its job is noted again`() async throws {
        try await Database.test.run { db throws in
            let id = try ask([home], on: db)[0]
            #expect(try rows("DELETE FROM unqueued_geocodes RETURNING geocode", on: db)[0].read("geocode") == id)
            try db.query("UPDATE geocodes SET job = 1")
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).isEmpty)
            try db.query("UPDATE geocodes SET job = NULL")
            #expect(try rows("SELECT FROM unqueued_geocodes", on: db).count == 1)
        }
    }

    @Test func `neither a job nor an answer writes into the table's indexes`() async throws {
        try await Database.test.transaction { db throws in
            let ids = try ask([home, work], on: db)
            try db.query("UPDATE geocodes SET job = 1")
            try store.record([(ids[0], .located(place(1, 1), .city)), (ids[1], .notFound)], from: "test", on: db)
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
            let place = try place(39.5296, -119.8138)
            try store.record(
                [(ids[0], .located(place, .city)), (ids[1], .notFound)], from: "gazetteer", on: db)
            let row = try rows(
                "SELECT latitude, longitude, precision, provider, placemark::text FROM geocodes WHERE id = \(ids[0])",
                on: db)[0]
            #expect(try row.read("latitude") == 39.5296)
            #expect(try row.read("longitude") == -119.8138)
            #expect(try row.read("placemark") == "{\"locality\": \"Reno\"}")
            let counts = try store.counts(on: db)
            #expect(counts.byStatus == [.located: 1, .notFound: 1])
            #expect(counts.byPrecision == [.city: 1])
        }
    }

    @Test func `an answer that comes twice changes nothing the second time`() async throws {
        try await Database.test.run { db throws in
            let id = try ask([home], on: db)[0]
            try store.record([(id, .located(place(1, 1), .street))], from: "first", on: db)
            try store.record([(id, .notFound)], from: "second", on: db)
            try store.fail([id], because: "third", from: "third", on: db)
            let row = try rows("SELECT provider, latitude FROM geocodes", on: db)[0]
            #expect(try row.read("provider") == "first")
            #expect(try row.read("latitude") == 1.0)
        }
    }

    @Test func `what failed says why`() async throws {
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
    ]) func `the table refuses what can't be true`(_ statement: String) async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { db throws in
                _ = try ask([home], on: db)
                try db.run(script: statement)
            }
        }
        #expect(error?.sqlState == "23514")
    }
}
