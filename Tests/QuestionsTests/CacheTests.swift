import DatabaseTesting
import Geocoding
import Postgres
import Queue
import Testing

@testable import Questions

@Suite(.database)
struct CacheTests {
    private let store = GeocodeStore()
    private let ada = Author.user("ada", on: "here")

    private func flat(_ unit: String) -> Address {
        Address(street: "10 Main Street\(unit)", city: "Reno", region: "NV", country: "US")
    }

    private func ask(_ address: Address, along chain: StoredChain, on db: isolated Connection) throws -> Int? {
        try store.ask([NewQuestion(address)], along: chain, on: db).first?.id
    }

    private func chain(on db: isolated Connection) throws -> StoredChain {
        try #require(try ChainStore().current("default", on: db))
    }

    /// Records a located answer for a question.
    private func locate(
        _ id: Int, _ precision: Precision, storage: StorageRule = .unlimited, on db: isolated Connection
    ) throws {
        let place = Placemark(
            coordinate: try #require(Coordinate(latitude: 39.5, longitude: -119.8)), thoroughfare: "Main Street",
            subThoroughfare: "10", locality: "Reno", administrativeArea: "NV", countryCode: "US")
        let best = Place(
            placemark: place, precision: precision, areaConfidence: 0.9, provider: "test", storage: storage)
        let question = Question(id: id, subject: .address(flat("")), chain: try chain(on: db).plan)
        try store.record([(question, .located(best))], from: "test", on: db)
    }

    @Test func `another flat of a known house shares its answer without a call`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try locate(#require(try ask(flat(", Apt 4"), along: chain, on: db)), .rooftop, on: db)
            #expect(try ask(flat(", Apt 5"), along: chain, on: db) == nil)
            let known = try #require(try store.geocode(AddressHash(flat(", Apt 5")), on: db))
            #expect(known.status == .located && known.isShared)
            #expect(known.place?.precision == .rooftop)
            #expect(try store.cacheStats(on: db).map(\.shared) == [1])
        }
    }

    @Test func `the house's answer is shared with its flats, not with its neighbour`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try locate(#require(try ask(flat(""), along: chain, on: db)), .interpolated, on: db)
            #expect(try ask(flat(" #5"), along: chain, on: db) == nil)
            let neighbour = Address(street: "12 Main Street #5", city: "Reno", region: "NV", country: "US")
            #expect(try ask(neighbour, along: chain, on: db) != nil)
        }
    }

    @Test func `a town's answer is not shared with a flat, and a chain may forbid sharing`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            try locate(#require(try ask(flat(""), along: chain, on: db)), .city, on: db)
            #expect(try ask(flat(" #5"), along: chain, on: db) != nil)
            try db.query("UPDATE geocodes SET precision = 'rooftop' WHERE status = 'located'")
            let strict = try ChainStore().set("strict", to: Chain([.init("gazetteer")], sharesHouses: false), on: db)
            #expect(try ask(flat(" #6"), along: strict, on: db) != nil)
            #expect(try ask(flat(" #7"), along: chain, on: db) == nil)
        }
    }

    @Test func `an answer that may be kept for thirty days is asked again after that`() async throws {
        try await Database.test.run { db throws in
            let id = try #require(try ask(flat(""), along: chain(on: db), on: db))
            try locate(id, .rooftop, storage: .days(30), on: db)
            #expect(try store.expire(10, on: db) == 0)
            let days: Double = try rows(
                "SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM geocodes", on: db)[0].read("days")
            #expect(abs(days - 30) < 0.01)
            try db.query("UPDATE geocodes SET expires_at = now()")
            #expect(try store.expire(10, on: db) == 1)
            #expect(try store.geocode(id, on: db)?.status == .waiting)
        }
    }

    @Test func `a forgotten answer is asked again on the next request`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            let id = try #require(try ask(flat(""), along: chain, on: db))
            try locate(id, .rooftop, storage: .session, on: db)
            try db.query("UPDATE geocodes SET expires_at = now()")
            #expect(try store.expire(10, on: db) == 1)
            #expect(try store.geocode(id, on: db)?.status == .forgotten)
            #expect(try store.askAgain([NewQuestion(flat(""))], along: chain, on: db) == 1)
            #expect(try store.geocode(id, on: db)?.status == .waiting)
        }
    }

    @Test func `a question that one chain did not find may be asked again only by another chain`() async throws {
        try await Database.test.run { db throws in
            let chain = try chain(on: db)
            let id = try #require(try ask(flat(""), along: chain, on: db))
            let question = Question(id: id, subject: .address(flat("")), chain: chain.plan)
            try store.record([(question, .notFound([]))], from: "test", on: db)
            let asked = [NewQuestion(flat(""))]
            #expect(try store.askAgain(asked, along: chain, on: db) == 0)
            let other = try ChainStore().set("other", to: Chain([.init("gazetteer")]), on: db)
            #expect(try store.askAgain(asked, along: other, on: db) == 1)
            #expect(try rows("SELECT FROM geocodes WHERE chain = \(other.id)", on: db).count == 1)
        }
    }

    @Test func `answers to expire are selected by provider, status and age`() async throws {
        try await Database.test.run { db throws in
            let id = try #require(try ask(flat(""), along: chain(on: db), on: db))
            try locate(id, .rooftop, on: db)
            #expect(try QuestionQueue().expire(AnswerFilter(provider: "other"), by: ada, on: db) == 0)
            #expect(try QuestionQueue().expire(AnswerFilter(status: .notFound), by: ada, on: db) == 0)
            #expect(try QuestionQueue().expire(AnswerFilter(age: .seconds(60)), by: ada, on: db) == 0)
            #expect(try QuestionQueue().expire(AnswerFilter(provider: "test", status: .located), by: ada, on: db) == 1)
            #expect(try store.cacheStats(on: db).map(\.expiring) == [1])
        }
    }

    @Test func `fixes near one place are one question`() async throws {
        try await Database.test.run { db throws in
            let chain = try #require(try ChainStore().current("reverse", on: db))
            let fixes = try (0..<1_000).map { number in
                try #require(Coordinate(latitude: 60.17 + Double(number) * 1e-7, longitude: 24.94))
            }
            let cells = fixes.map(CoordinateCell.init)
            #expect(cells.count == 1_000 && Set(cells.map(\.hash)).count == 1)
            #expect(try store.ask(cells, along: chain, on: db).count == 1)
            #expect(try store.ask(cells, along: chain, on: db).isEmpty)
            #expect(try store.counts(on: db).byStatus == [.waiting: 1])
            let known = try #require(try store.geocode(cells[0].hash, on: db))
            let centre = try #require(known.subject.coordinate)
            #expect(abs(centre.latitude - 60.17) < 0.00026 && abs(centre.longitude - 24.94) < 0.00026)
        }
    }
}
