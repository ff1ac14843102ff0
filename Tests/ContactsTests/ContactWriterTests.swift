import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Questions
import Testing

@Suite(.database)
struct ContactWriterTests {
    private let writer = ContactWriter()
    private let contacts = ContactStore()
    private let main = Address(street: "1 Main St", city: "Reno", country: "US")
    private let mainAgain = Address(street: "1 MAIN ST", city: "Reno", country: "USA")
    private let elm = Address(street: "2 Elm St", city: "Reno", country: "US")

    private func friend(_ key: String, _ addresses: Address...) -> Friend {
        Friend(
            sourceKey: key, name: "Friend \(key)",
            addresses: addresses.map { LabelledAddress(label: "home", address: $0) })
    }

    private func store(_ friends: Friend..., on db: isolated Connection) throws -> SyncCounts {
        try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
    }

    /// Answers all waiting questions, like a worker.
    private func answerAll(on db: isolated Connection) throws {
        let ids: [Int] = try rows("SELECT id FROM geocodes WHERE status = 'waiting'", on: db).map { try $0.read("id") }
        let place = Placemark(coordinate: try #require(Coordinate(latitude: 39.5, longitude: -119.8)))
        let answer = Place(placemark: place, precision: .city, areaConfidence: 1, provider: "test")
        let chain = Chain([Chain.Link("gazetteer")])
        try GeocodeStore().record(
            ids.map { (Question(id: $0, subject: .address(main), chain: chain), .located(answer)) }, from: "test",
            on: db
        )
        try db.query("DELETE FROM jobs")
    }

    private func coordinates(on db: isolated Connection) throws -> [Coordinate?] {
        try contacts.places(PlaceFilter(account: "default"), limit: 100, on: db).map(\.coordinate)
    }

    @Test func `friends with one address share one question and one job`() async throws {
        try await Database.test.run { db throws in
            let counts = try store(friend("a", main), friend("b", mainAgain), friend("c", main, elm), on: db)
            #expect(counts == SyncCounts(added: 3, addresses: 4, questions: 2))
            #expect(try rows("SELECT FROM jobs", on: db).count == 1)
            #expect(try rows("SELECT FROM geocodes WHERE job IN (SELECT id FROM jobs)", on: db).count == 2)
        }
    }

    @Test func `a list with nine repetitions in ten needs a tenth of the questions and jobs`() async throws {
        try await Database.test.run { db throws in
            try db.query("UPDATE lanes SET batch = 1")
            let account = try ContactStore().openAccount(named: "default", on: db)
            var questions = 0
            for part in 0..<3 {
                let friends = (0..<1_000).map { number in
                    friend(
                        "\(part)-\(number)", Address(street: "\(number % 300 + 1) Main St", city: "Reno", country: "US")
                    )
                }
                questions += try writer.store(friends, account: account, on: db).questions
            }
            #expect(questions == 300)
            #expect(try rows("SELECT FROM jobs", on: db).count == 300)
        }
    }

    @Test func `importing the same contacts again changes nothing and asks nothing`() async throws {
        try await Database.test.run { db throws in
            _ = try store(friend("a", main), friend("b", elm), on: db)
            try answerAll(on: db)
            let before = try rows("SELECT xmin::text AS v FROM addresses ORDER BY id", on: db).map {
                try $0.read("v", as: String.self)
            }
            #expect(try store(friend("a", main), friend("b", elm), on: db).questions == 0)
            let after = try rows("SELECT xmin::text AS v FROM addresses ORDER BY id", on: db).map {
                try $0.read("v", as: String.self)
            }
            #expect(before == after)
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
        }
    }

    @Test func `a changed street loses its coordinate, and gets it back when changed back`() async throws {
        try await Database.test.run { db throws in
            _ = try store(friend("a", main), on: db)
            try answerAll(on: db)
            #expect(try coordinates(on: db).compactMap { $0 }.count == 1)
            _ = try store(friend("a", elm), on: db)
            #expect(try coordinates(on: db) == [nil])
            #expect(try store(friend("a", mainAgain), on: db).questions == 0)
            #expect(try coordinates(on: db).compactMap { $0 }.count == 1)
        }
    }

    @Test func `another program's change of a street clears the coordinate in the same statement`() async throws {
        try await Database.test.run { db throws in
            _ = try store(friend("a", main), on: db)
            try answerAll(on: db)
            try db.query("UPDATE addresses SET street = '3 Oak St'")
            #expect(try coordinates(on: db) == [nil])
            #expect(try contacts.counts(on: db).unhashed == 1)

            #expect(try AddressSweep().hashForeign(10, on: db) == 1)
            #expect(try rows("SELECT FROM jobs", on: db).count == 1)
            #expect(try QuestionQueue().enqueueWaiting(10, on: db) == 0)
            #expect(try rows("SELECT FROM geocodes JOIN jobs ON jobs.id = job", on: db).count == 1)

            try db.query("UPDATE addresses SET street = '1 main st'")
            #expect(try AddressSweep().hashForeign(10, on: db) == 1)
            #expect(try coordinates(on: db).compactMap { $0 }.count == 1)
        }
    }

    @Test func `a change of label or name keeps the coordinate`() async throws {
        try await Database.test.run { db throws in
            _ = try store(friend("a", main), on: db)
            try answerAll(on: db)
            try db.query("UPDATE addresses SET label = 'work'")
            #expect(try coordinates(on: db).compactMap { $0 }.count == 1)
        }
    }

    @Test func `an address that a contact no longer has is deleted`() async throws {
        try await Database.test.run { db throws in
            _ = try store(friend("a", main, elm), on: db)
            _ = try store(friend("a", elm), on: db)
            #expect(try contacts.places(PlaceFilter(account: "default"), limit: 10, on: db).map(\.address) == [elm])
        }
    }

    @Test func `a failed import leaves nothing behind`() async throws {
        let nothing = Address()
        await #expect(throws: DatabaseError.self) {
            try await Database.test.run { db in _ = try store(friend("a", main), friend("b", nothing), on: db) }
        }
        try await Database.test.run { db throws in
            #expect(try contacts.counts(on: db) == ContactCounts(friends: 0, addresses: 0, unhashed: 0))
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
        }
    }

    @Test func `two importers with the same addresses ask each address once`() async throws {
        let database = try Database.test
        let addresses = (1...300).map { Address(street: "\($0) Main St", city: "Reno", country: "US") }
        @Sendable func importAll(_ name: String, _ addresses: [Address]) async throws -> Int {
            try await database.run { db throws in
                let account = try ContactStore().openAccount(named: name, on: db)
                let friends = addresses.enumerated().map { number, address in
                    Friend(sourceKey: "\(number)", name: "", addresses: [LabelledAddress(label: "", address: address)])
                }
                return try writer.store(friends, account: account, on: db).questions
            }
        }
        async let one = importAll("one", addresses)
        async let other = importAll("other", addresses.reversed())
        #expect(try await one + other == 300)
        try await database.run { db throws in
            #expect(try rows("SELECT FROM geocodes WHERE job IS NULL", on: db).isEmpty)
            let progress = try contacts.progress(account: "one", on: db)
            #expect(progress.waiting == 300)
            #expect(progress.questions == 300)
        }
    }

    @Test func `an account's places are hidden from another account`() async throws {
        try await Database.test.run { db throws in
            _ = try store(friend("a", main), on: db)
            #expect(try contacts.places(PlaceFilter(account: "other"), limit: 10, on: db).isEmpty)
            #expect(try contacts.progress(account: "other", on: db).total == 0)
        }
    }
}
