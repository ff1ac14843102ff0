import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Questions
import Queue
import Testing

@Suite(.database)
struct PinTests {
    private let writer = ContactWriter()
    private let ada = Author.user("ada", on: "here")
    private let main = Address(street: "1 Main St", city: "Reno", country: "US")
    private let elm = Address(street: "2 Elm St", city: "Reno", country: "US")
    private let here = Coordinate(latitude: 39.5, longitude: -119.8)
    private let there = Coordinate(latitude: 39.6, longitude: -119.9)

    private func store(
        _ key: String, _ address: Address, at position: Coordinate? = nil, account: String = "default",
        on db: isolated Connection
    ) throws -> SyncCounts {
        let friend = Friend(
            sourceKey: key, name: "", addresses: [LabelledAddress(label: "", address: address, position: position)])
        return try writer.store([friend], account: ContactStore().openAccount(named: account, on: db), on: db)
    }

    private func coordinates(_ account: String = "default", on db: isolated Connection) throws -> [Coordinate?] {
        try ContactStore().places(PlaceFilter(account: account), limit: 10, on: db).map(\.coordinate)
    }

    private func jobs(on db: isolated Connection) throws -> Int {
        try rows("SELECT unnest(subjects) FROM jobs", on: db).count
    }

    @Test func `a contact's own position is the answer and needs no call`() async throws {
        try await Database.test.run { db throws in
            #expect(try store("a", main, at: here, on: db) == SyncCounts(added: 1, addresses: 1))
            #expect(try coordinates(on: db) == [here])
            #expect(try jobs(on: db) == 0)
            let known = try ContactStore().places(PlaceFilter(account: "default"), limit: 1, on: db)[0]
            #expect(known.precision == .rooftop)
            #expect(known.confidence == 1)
            #expect(known.provider == "contact")
            #expect(try QuestionQueue().enqueueWaiting(10, on: db) == 0)
        }
    }

    @Test func `a pin holds in its own account only`() async throws {
        try await Database.test.run { db throws in
            _ = try store("a", main, at: here, on: db)
            #expect(try store("a", main, account: "other", on: db).questions == 1)
            #expect(try coordinates("other", on: db) == [nil])
            _ = try store("a", main, at: there, account: "other", on: db)
            #expect(try coordinates(on: db) == [here])
            #expect(try coordinates("other", on: db) == [there])
        }
    }

    @Test func `a position far from its town or postcode stays, and is doubtful`() async throws {
        try await Database.test.run { db throws in
            let vienna = Address(street: "Stephansplatz 1", city: "Wien", postcode: "1010", country: "AT")
            _ = try store("a", vienna, at: here, on: db)
            _ = try store("b", main, at: there, on: db)
            // Nothing is known about this town.
            _ = try store("c", Address(street: "1 Main St", city: "Xyzzyville", country: "US"), at: here, on: db)
            let known = try ContactStore().places(PlaceFilter(account: "default"), limit: 3, on: db)
            #expect(known.map(\.coordinate) == [here, there, here])
            #expect(known.map(\.confidence).map { $0 ?? 0 < 0.4 } == [true, false, false])
            #expect(known.map(\.place.reason) == ["the given position is far from the postcode", nil, nil])
            // Of two contacts with one address, the position that fits is stored, in either order.
            let elsewhere = Coordinate(latitude: 47.07, longitude: 15.44)
            let graz = Address(street: "Hauptplatz 1", city: "Graz", postcode: "8010", country: "AT")
            for positions in [[here, elsewhere], [elsewhere, here]] {
                let friends = positions.enumerated().map { number, position in
                    Friend(
                        sourceKey: "d\(number)", name: "",
                        addresses: [LabelledAddress(label: "", address: graz, position: position)])
                }
                _ = try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
                let both = try ContactStore().places(PlaceFilter(account: "default"), limit: 9, on: db).suffix(2)
                #expect(both.map(\.coordinate) == [elsewhere, elsewhere])
            }
            // The right position removes the doubt.
            _ = try store("a", vienna, at: Coordinate(latitude: 48.2, longitude: 16.37), on: db)
            let mended = try ContactStore().places(PlaceFilter(account: "default"), limit: 1, on: db)[0].place
            #expect(mended.confidence == 1 && mended.reason == nil)
        }
    }

    @Test func `a newer position replaces the older one, and an equal one writes nothing`() async throws {
        try await Database.test.run { db throws in
            _ = try store("a", main, at: here, on: db)
            #expect(try store("a", main, at: there, on: db).unchanged == 1)
            #expect(try coordinates(on: db) == [there])
            let before = try rows("SELECT xmin::text AS v FROM geocodes", on: db)[0].read("v", as: String.self)
            #expect(try store("a", main, at: there, on: db).unchanged == 1)
            #expect(try rows("SELECT xmin::text AS v FROM geocodes", on: db)[0].read("v", as: String.self) == before)
        }
    }

    @Test func `a pin holds for everyone in the account with the same address`() async throws {
        try await Database.test.run { db throws in
            _ = try store("a", main, at: here, on: db)
            #expect(try store("b", main, on: db).questions == 0)
            #expect(try coordinates(on: db) == [here, here])
        }
    }

    @Test func `a changed street loses the pin at once, and has it again when changed back`() async throws {
        try await Database.test.run { db throws in
            _ = try store("a", main, at: here, on: db)
            try db.query("UPDATE addresses SET street = '2 Elm St'")
            #expect(try coordinates(on: db) == [nil])
            #expect(try AddressSweep().hashForeign(10, on: db) == 1)
            #expect(try coordinates(on: db) == [nil])
            #expect(try jobs(on: db) == 1)
            try db.query("UPDATE addresses SET street = '1 MAIN ST'")
            #expect(try AddressSweep().hashForeign(10, on: db) == 1)
            #expect(try coordinates(on: db) == [here])
            #expect(try jobs(on: db) == 1)

            _ = try store("a", elm, on: db)
            #expect(try coordinates(on: db) == [nil])
            #expect(try store("a", main, on: db).questions == 0)
            #expect(try coordinates(on: db) == [here])
        }
    }

    @Test func `a pin survives the purge of the cache`() async throws {
        try await Database.test.run { db throws in
            _ = try store("a", main, at: here, on: db)
            #expect(try QuestionQueue().expire(AnswerFilter(), by: ada, on: db) == 0)
            try db.query("DELETE FROM addresses")
            #expect(try QuestionQueue().countPurgeable(AnswerFilter(), on: db) == 0)
            let purged = try rows("SELECT purge_answers(NULL, NULL, '0 s', 10) AS number", on: db)
            #expect(try purged[0].read("number") == 0)
        }
    }

    @Test func `a person's decision on a pin stays`() async throws {
        try await Database.test.run { db throws in
            _ = try store("a", main, at: here, on: db)
            let id: Int = try rows("SELECT id FROM geocodes", on: db)[0].read("id")
            #expect(try QuestionQueue().decide(.pin(#require(there)), of: id, by: ada, on: db))
            _ = try store("a", main, at: here, on: db)
            #expect(try coordinates(on: db) == [there])
        }
    }
}
