import DatabaseTesting
import Geocoding
import Points
import Postgres
import Questions
import Queue
import Testing

@Suite(.database)
struct LoadTests {
    private struct Halt: Error {}

    private func number(_ address: String, in database: Database) async throws -> String? {
        let provider = try #require(try await database.provider())
        let query = Query(Address(street: address, city: "Dorf", country: "AT"))
        guard case .found(let found) = try await provider.geocode([query])[0] else { return nil }
        return found[0].placemark.subThoroughfare
    }

    /// The tables that exist besides the empty ones.
    private func tables(_ database: Database) async throws -> [String] {
        try await database.query(
            "SELECT relname FROM pg_class WHERE relname ~ '^point_streets_\\d+(_names|_houses)?$' ORDER BY 1"
        ).map { try $0.read("relname") }
    }

    private func links(_ chain: String, _ database: Database) async throws -> [String] {
        try await database.run { try #require(try ChainStore().current(chain, on: $0)).plan.links.map(\.words) }
    }

    @Test func `points are counted, and those that could never be found are left out`() async throws {
        let database = try Database.test
        let outcome = try await load(
            [
                point("1", "Hauptstraße"), point("1", "Hauptstr."), point("2", "Hauptstraße"), point("3", "Seegasse"),
                point("", "Seegasse"), point("4", "Seegasse", "", ""), point("5", "", "", "1234"),
                point("6", "Seegasse", country: "DE"),
            ], attribution: "© Ämter", licence: "CC BY 4.0", into: database)
        #expect((outcome.points, outcome.streets) == (4, 3))
        #expect((outcome.incomplete, outcome.repeated) == (3, 1))
        let set = try #require(try await database.set())
        #expect(set.countries == ["AT", "DE"])
        #expect((set.points, set.streets, set.credit) == (4, 3, "© Ämter, CC BY 4.0"))
        let shown: String = try await database.query("SELECT attribution FROM lanes WHERE name = 'houses'")[0].read(
            "attribution")
        #expect(shown == set.credit)
        #expect(try await tables(database).count == 1)
    }

    @Test func `a new version replaces the old one, and keeps its attribution`() async throws {
        let database = try Database.test
        try await load([point("1", "Hauptstraße")], attribution: "© Ämter", licence: "CC BY 4.0", into: database)
        let provider = try #require(try await database.provider())
        try await load([point("2", "Hauptstraße")], into: database)
        #expect(try await tables(database).count == 1)
        #expect(try await database.set()?.attribution == "© Ämter")
        #expect(try await database.set()?.licence == "CC BY 4.0")
        #expect(try await database.set()?.credit == "© Ämter, CC BY 4.0")
        // A worker that does not know of the new version yet answers from it as well.
        let query = Query(Address(street: "Hauptstraße 2", city: "Dorf", country: "AT"))
        guard case .found(let found) = try await provider.geocode([query])[0] else {
            Issue.record("not found")
            return
        }
        #expect(found[0].precision == .rooftop)
    }

    @Test func `an interrupted load leaves the old version, and the next load clears up`() async throws {
        let database = try Database.test
        try await load([point("1", "Hauptstraße")], into: database)
        await #expect(throws: Halt.self) {
            try await PointLoad("houses").run(by: me, on: database) { add in
                try add(point("2", "Hauptstraße"))
                throw Halt()
            }
        }
        await #expect(throws: PointLoad.NoPoints.self) { try await load([point("", "")], into: database) }
        #expect(try await number("Hauptstraße 1", in: database) == "1")
        #expect(try await tables(database).count == 1)
        // A process that was killed leaves its tables.
        try await database.run(
            script: """
                INSERT INTO point_sets (id, name) OVERRIDING SYSTEM VALUE VALUES (1000, 'houses');
                CREATE TABLE point_streets_1000 (LIKE point_streets);
                CREATE TABLE point_streets_1000_names (id bigint)
                """)
        try await load([point("3", "Hauptstraße")], into: database)
        #expect(try await number("Hauptstraße 3", in: database) == "3")
        #expect(try await tables(database).count == 1)
        #expect(try await database.run { try rows("SELECT FROM point_sets", on: $0).count } == 1)
    }

    /// The column of the number's value has 32 bits.
    @Test(arguments: ["1234567890", "9999999999", "12345678901a"])
    func `a house number of any length is loaded and found`(number: String) async throws {
        let database = try Database.test
        var house = point("4", "Hauptstraße")
        house.number = number
        let outcome = try await load([house, point("2", "Hauptstraße")], into: database)
        #expect(outcome.points == 2)
        #expect(try await self.number("Hauptstraße \(number)", in: database) == number)
    }

    @Test func `streets of one name and town in two regions stay two`() async throws {
        let database = try Database.test
        let points = ["Nord", "Süd"].enumerated().map { place, region in
            var point = point("1", "Hauptstraße", "Neustadt", "", north: Double(place))
            point.region = region
            return point
        }
        #expect(try await load(points, into: database).streets == 2)
        let provider = try #require(try await database.provider())
        let query = Query(Address(street: "Hauptstraße 1", city: "Neustadt", country: "AT"))
        guard case .found(let found) = try await provider.geocode([query])[0] else {
            Issue.record("not found")
            return
        }
        #expect(Set(found.map(\.placemark.administrativeArea)) == ["Nord", "Süd"])
    }

    @Test func `of two loads of a set at once the later one wins`() async throws {
        let (database, (began, done)) = (try Database.test, (Rendezvous(of: 2), Rendezvous(of: 2)))
        let first = Task {
            try await PointLoad("houses").run(by: me, on: database) { add in
                try add(point("1", "Hauptstraße"))
                began.arriveAndWait()
                done.arriveAndWait()
            }
        }
        await began.arrive()
        try await load([point("2", "Hauptstraße")], into: database)
        await done.arrive()
        await #expect(throws: PointLoad.Overtaken.self) { try await first.value }
        #expect(try await number("Hauptstraße 2", in: database) == "2")
        #expect(try await tables(database).count == 1)
    }

    @Test func `a provider's lane can't become a set`() async throws {
        let database = try Database.test
        await #expect(throws: PointLoad.NameTaken.self) {
            try await load([point("1", "Hauptstraße")], as: "gazetteer", into: database)
        }
        #expect(try await tables(database) == [])
    }

    @Test func `a new set is put into the usual chains, and into no other`() async throws {
        let database = try Database.test
        try await load([point("1", "Hauptstraße")], into: database)
        #expect(try await links("default", database) == ["gazetteer", "houses"])
        #expect(try await links("reverse", database) == ["houses", "gazetteer"])
        try await database.transaction {
            try JobQueue().addLane("paid", on: $0)
            // The private cluster adds the providers of its environment, as to an unchanged chain.
            try QuestionQueue().extendFirstChain(with: [.init("paid")], apartFrom: ["houses"], by: me, on: $0)
        }
        #expect(try await links("default", database) == ["gazetteer", "houses", "paid"])
        let outcome = try await load([point("1", "Hauptstraße")], as: "more", into: database)
        #expect(try await links("default", database) == ["gazetteer", "houses", "more", "paid"])
        #expect(try await links("reverse", database) == ["houses", "more", "gazetteer"])
        #expect(outcome.chains.map(\.isChanged) == [true, true])
        // An operator removes a set, and writes conditions. Neither another version nor another set changes the chain.
        _ = try await database.transaction {
            try QuestionQueue().setChain("default", by: me, on: $0) { _ in
                Chain([.init("gazetteer", stopAt: .rooftop), .init("paid")])
            }
        }
        #expect(try await load([point("2", "Hauptstraße")], into: database).chains.isEmpty)
        let last = try await load([point("1", "Hauptstraße")], as: "last", into: database)
        #expect(try await links("default", database) == ["gazetteer:stop=rooftop", "paid"])
        #expect(last.chains.map(\.isChanged) == [false, true])
    }

    @Test func `a dropped set leaves its chains, and its lane finds no place`() async throws {
        let database = try Database.test
        try await load([point("1", "Hauptstraße")], into: database)
        let provider = try #require(try await database.provider())
        let chains = try await PointSetStore().drop("houses", by: me, on: database)
        #expect(chains.map(\.name).sorted() == ["default", "reverse"])
        #expect(try await links("default", database) == ["gazetteer"])
        #expect(try await tables(database) == [])
        let query = Query(Address(street: "Hauptstraße 1", city: "Dorf", country: "AT"))
        #expect(try await provider.geocode([query]) == [.notFound])
        await #expect(throws: NoSuchPoints.self) { try await PointSetStore().drop("houses", by: me, on: database) }
        try await load([point("1", "Hauptstraße")], into: database)
        #expect(try await links("default", database) == ["gazetteer", "houses"])
        #expect(try await number("Hauptstraße 1", in: database) == "1")
    }

    @Test func `a set that a chain needs can't be dropped`() async throws {
        let database = try Database.test
        try await load([point("1", "Hauptstraße")], into: database)
        _ = try await database.transaction {
            try QuestionQueue().setChain("mine", by: me, on: $0) { _ in Chain([.init("houses")]) }
        }
        await #expect(throws: PointChain.OnlyLink.self) {
            try await PointSetStore().drop("houses", by: me, on: database)
        }
        #expect(try await number("Hauptstraße 1", in: database) == "1")
        #expect(try await links("default", database) == ["gazetteer", "houses"])
    }
}
