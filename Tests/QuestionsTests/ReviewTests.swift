import DatabaseTesting
import Geocoding
import Postgres
import Queue
import Testing

@testable import Questions

@Suite(.database)
struct ReviewTests {
    private let store = GeocodeStore()
    private let questions = QuestionQueue()
    private let ada = Author.user("ada", on: "here")
    private let home = Address(street: "1 Main St", city: "Reno", region: "NV", country: "US")

    private func candidate(_ latitude: Double, storage: StorageRule = .unlimited) throws -> Place {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: latitude, longitude: 1)))
        place.locality = "Reno"
        return Place(
            placemark: place, precision: .street, areaConfidence: 0.5, provider: "test", step: .structured,
            storage: storage
        )
    }

    /// Makes a question that needs review. Returns its id.
    private func doubt(_ candidates: [Place], on db: isolated Connection) throws -> Int {
        let chain = try #require(try ChainStore().current("default", on: db))
        let id = try store.ask([NewQuestion(home)], along: chain, on: db)[0].id
        let question = Question(id: id, subject: .address(home), chain: chain.plan)
        try store.record([(question, .needsReview(candidates))], from: "test", on: db)
        return id
    }

    private func decide(_ decision: Decision, _ id: Int, on db: isolated Connection) throws -> Bool {
        try questions.decide(decision, of: id, by: ada, on: db)
    }

    @Test func `a doubtful question is listed with all its candidates`() async throws {
        try await Database.test.run { db throws in
            let found = [try candidate(1), try candidate(2)]
            let id = try doubt(found, on: db)
            let listed = try store.toReview(after: 0, limit: 10, on: db)
            #expect(listed.map(\.id) == [id])
            #expect(listed[0].subject == .address(home))
            #expect(listed[0].candidates == found)
            #expect(listed[0].place == nil)
            #expect(try store.toReview(after: id, limit: 10, on: db).isEmpty)
        }
    }

    @Test func `an accepted candidate is the answer, and stays`() async throws {
        try await Database.test.run { db throws in
            let id = try doubt([try candidate(1), try candidate(2)], on: db)
            #expect(try decide(.accept(candidate: 3), id, on: db) == false)
            #expect(try decide(.accept(candidate: 2), id, on: db))
            let known = try #require(try store.geocode(id, on: db))
            #expect(known.status == .located && known.isPinned)
            #expect(known.place == (try candidate(2)))
            #expect(known.candidates.isEmpty)
            #expect(try questions.countExpirable(AnswerFilter(), on: db) == 0)
            #expect(try questions.expire(AnswerFilter(), by: ada, on: db) == 0)
        }
    }

    @Test func `an accepted candidate that is only lent still expires`() async throws {
        try await Database.test.run { db throws in
            let id = try doubt([try candidate(1, storage: .session)], on: db)
            #expect(try decide(.accept(candidate: 1), id, on: db))
            try db.query("UPDATE geocodes SET expires_at = now()")
            #expect(try store.expire(10, on: db) == 1)
            let known = try #require(try store.geocode(id, on: db))
            #expect(known.status == .forgotten && known.place == nil && known.candidates.isEmpty)
            #expect(try rows("SELECT FROM unqueued_geocodes WHERE geocode = \(id)", on: db).count == 1)
        }
    }

    @Test func `a rejected question is not found, and is not asked again`() async throws {
        try await Database.test.run { db throws in
            let id = try doubt([try candidate(1)], on: db)
            #expect(try decide(.reject, id, on: db))
            #expect(try decide(.reject, id, on: db) == false)
            let known = try #require(try store.geocode(id, on: db))
            #expect(known.status == .notFound && known.isPinned && known.candidates.isEmpty)
            let other = try ChainStore().set("other", to: Chain([.init("gazetteer")]), on: db)
            #expect(try store.askAgain([NewQuestion(home)], along: other, on: db) == 0)
        }
    }

    @Test func `a rejected answer does not expire, although its provider limits it to thirty days`()
        async throws
    {
        try await Database.test.run { db throws in
            let id = try doubt([try candidate(1, storage: .days(30))], on: db)
            #expect(try decide(.reject, id, on: db))
            #expect(try questions.expire(AnswerFilter(), by: ada, on: db) == 0)
            try db.query("UPDATE geocodes SET expires_at = now() WHERE expires_at IS NOT NULL")
            #expect(try store.expire(10, on: db) == 0)
            #expect(try store.geocode(id, on: db)?.status == .notFound)
        }
    }

    @Test func `decisions are undone one by one, the last one first`() async throws {
        try await Database.test.run { db throws in
            let id = try doubt([try candidate(1)], on: db)
            #expect(try decide(.reject, id, on: db))
            #expect(try questions.undo(id, by: ada, on: db) == .undone)
            #expect(try questions.undo(id, by: ada, on: db) == .nothingDecided)
            #expect(try rows("SELECT FROM decisions", on: db).isEmpty)

            // Each question can be decided and undone again.
            #expect(try decide(.accept(candidate: 1), id, on: db))
            #expect(try questions.undo(id, by: ada, on: db) == .undone)
            #expect(try decide(.reject, id, on: db))
            #expect(try questions.undo(id, by: ada, on: db) == .undone)
            #expect(try questions.undo(id, by: ada, on: db) == .nothingDecided)
            #expect(try store.geocode(id, on: db)?.candidates == [candidate(1)])
        }
    }

    @Test func `candidates of a question under way can't be accepted or rejected`() async throws {
        try await Database.test.run { db throws in
            let id = try doubt([try candidate(1)], on: db)
            try db.query("UPDATE geocodes SET status = 'waiting', job = 7")
            #expect(try decide(.accept(candidate: 1), id, on: db) == false)
            #expect(try decide(.reject, id, on: db) == false)
            let known = try #require(try store.geocode(id, on: db))
            #expect(known.status == .waiting && known.job == 7 && known.candidates.count == 1)
            #expect(try rows("SELECT FROM decisions", on: db).isEmpty)
        }
    }

    @Test func `a pin wins over a running call and over every later one`() async throws {
        try await Database.test.run { db throws in
            let chain = try #require(try ChainStore().current("default", on: db))
            let id = try store.ask(
                [NewQuestion(home)], along: chain, in: [ReservedJobs(link: 0, jobs: [7], batch: 1)], on: db)[0]
                .id
            let coordinate = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
            #expect(try decide(.pin(coordinate), id, on: db))
            let question = Question(id: id, subject: .address(home), chain: chain.plan)
            try store.record([(question, .located(candidate(1)))], from: "test", on: db)
            let known = try #require(try store.geocode(AddressHash(home), on: db))
            #expect(known.place?.placemark.coordinate == coordinate)
            #expect(known.place?.provider == "pin" && known.place?.confidence == 1)
            #expect(known.job == nil)
            #expect(try decide(.pin(coordinate), 99, on: db) == false)
        }
    }
}
