import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Queue
import Testing

@testable import Questions

@Suite(.database)
struct SpellingImportTests {
    private let writer = ContactWriter()

    private func store(_ streets: [String], on db: isolated Connection) throws {
        let friends = streets.map { street in
            let home = Address(street: street, city: "Reno", region: "NV", postcode: "89501", country: "US")
            return Friend(sourceKey: street, name: "Friend", addresses: [LabelledAddress(label: "home", address: home)])
        }
        _ = try writer.store(friends, account: ContactStore().openAccount(named: "default", on: db), on: db)
    }

    private func jobs(on db: isolated Connection) throws -> Int {
        try rows("SELECT FROM jobs", on: db).count
    }

    @Test func `all spellings in an import share one job where jobs cost money`() async throws {
        try await Database.test.run { db throws in
            try db.query("UPDATE lanes SET batch = 1")
            try store(["10 Main Street", "10 Main St.", "Main St 10", "10 Main Street, Apt 4", "10 Main Ave"], on: db)
            #expect(try jobs(on: db) == 2)
            try store(["10 MAIN STR", "12 Main St"], on: db)
            #expect(try jobs(on: db) == 3)
        }
    }

    @Test func `the sweep enqueues only questions that follow no other`() async throws {
        try await Database.test.run { db throws in
            try db.query("UPDATE lanes SET batch = 1")
            try store(["10 Main Street", "10 Main St."], on: db)
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 0)
            let id: Int = try rows("SELECT id FROM geocodes WHERE NOT follows", on: db)[0].read("id")
            try db.query("DELETE FROM jobs")
            let job: Int = try rows("SELECT job FROM geocodes WHERE id = \(id)", on: db)[0].read("job")
            _ = try GeocodeStore().cancel([QueuedJob(id: job, subjects: [id])], on: db)
            #expect(try QuestionQueue().enqueueWaiting(100, on: db) == 1)
            #expect(try jobs(on: db) == 1)
            #expect(try rows("SELECT FROM geocodes WHERE status = 'waiting' AND NOT follows", on: db).count == 1)
        }
    }
}
