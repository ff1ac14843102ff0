import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Questions
import Queue
import Testing

@testable import Contacts

/// A failing provider must not leave an address with less than it would have without that provider.
@Suite(.database)
struct PlaceSoFarTests {
    private let contacts = ContactStore()

    /// Stores Ada's address, whose town the gazetteer found, and which waits for nominatim.
    private func ask(_ candidates: [(Double, Double)], on db: isolated Connection) throws {
        try db.query("INSERT INTO lanes (name) VALUES ('nominatim')")
        let chain = try ChainStore().set("default", to: Chain([.init("gazetteer"), .init("nominatim")]), on: db)
        let home = LabelledAddress(label: "home", address: Address(street: "1 High St", city: "Ely", country: "UK"))
        _ = try ContactWriter().store(
            [Friend(sourceKey: "ada", name: "Ada", addresses: [home])],
            account: contacts.openAccount(named: "default", on: db), on: db)
        let graded = try candidates.map { confidence, longitude in
            Place(
                placemark: Placemark(coordinate: try #require(Coordinate(latitude: 52.4, longitude: longitude))),
                precision: .city, areaConfidence: confidence, isWeak: true, provider: "gazetteer")
        }
        try db.query("UPDATE geocodes SET chain = \(chain.id), link = 1, candidates = \(graded.json)::jsonb")
    }

    private func place(on db: isolated Connection) throws -> KnownPlace {
        try #require(try contacts.places(PlaceFilter(account: "default"), limit: 10, on: db).first).place
    }

    @Test func `while a question waits, its best place so far is exported as such`() async throws {
        try await Database.test.run { db throws in
            try ask([(0.9, 0.26)], on: db)
            let place = try place(on: db)
            #expect(place.status == .waiting && place.precision == .city && place.provider == "gazetteer")
            #expect(place.coordinate?.longitude == 0.26)
            #expect(place.reason == "roughly: town; still waiting for nominatim")
            let copied = try contacts.places(ofKeys: ["ada"], account: "default", on: db)["ada"]?.first?.place
            #expect(copied == place)
            #expect(try contacts.placesSoFar(account: "default", on: db) == [.city: 1])
        }
    }

    @Test(arguments: [[(0.5, 0.26)], [(0.9, 0.26), (0.9, 9)], []])
    func `a candidate that would not be the answer is not exported`(candidates: [(Double, Double)]) async throws {
        try await Database.test.run { db throws in
            try ask(candidates, on: db)
            let place = try place(on: db)
            #expect(place.coordinate == nil && place.precision == nil)
            #expect(place.reason == "no provider has answered yet; still waiting for nominatim")
            #expect(try contacts.placesSoFar(account: "default", on: db).isEmpty)
        }
    }

    @Test func `a small source is processed before a large one`() async throws {
        let database = try Database.test
        let account = try await database.run { try contacts.openAccount(named: "default", on: $0) }
        func entries(_ count: Int, in city: String) -> [ContactEntry] {
            (0..<count).map { number in
                let home = Address(street: "\(number) High St", city: city, country: "UK")
                return .contact(
                    line: number,
                    Friend(
                        sourceKey: "\(city) \(number)", name: "Ada",
                        addresses: [LabelledAddress(label: "home", address: home)]))
            }
        }
        for (count, city) in [(ImportRun.smallSource + 1, "Ely"), (2, "Leeds")] {
            var source = ListedContacts(entries: entries(count, in: city)[...])
            _ = try await ImportRun(ImportRules(feed: city), database: database, account: account).run(&source)
        }
        let first = try await database.run { db in
            let job = try #require(try JobQueue().list([.ready], limit: 1, on: db).first)
            return try db.query("SELECT city FROM geocodes WHERE id = ANY (\(job.subjects))").map {
                try $0.read("city", as: String.self)
            }
        }
        #expect(first == ["Leeds", "Leeds"])
    }
}

private struct ListedContacts: ContactSource {
    let name = "a list"
    let totalSize: Int? = nil
    let bytesRead = 0
    var entries: ArraySlice<ContactEntry>

    mutating func next() async throws -> ContactEntry? { entries.popFirst() }
}
