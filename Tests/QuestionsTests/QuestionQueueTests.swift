import DatabaseTesting
import Geocoding
import Postgres
import Queue
import Testing

@testable import Questions

/// Questions without any contact.
@Suite(.database)
struct QuestionQueueTests {
    private let questions = QuestionQueue()
    private let address = Address(street: "1 Main St", city: "Reno", country: "US")

    private func jobs(on database: isolated Connection) throws -> [[Int]] {
        try database.query("SELECT subjects FROM jobs ORDER BY priority DESC, id").map { try $0.read("subjects") }
    }

    @Test func `a coordinate asked without an account is stored with its job, once`() async throws {
        let here = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
        try await Database.test.transaction { db in
            let id = try questions.askNow(.coordinate(here), along: "default", on: db).id
            #expect(try jobs(on: db) == [[id]])
            #expect(try questions.askNow(.coordinate(here), along: "default", on: db).id == id)
            #expect(try jobs(on: db) == [[id]])
        }
    }

    /// A chain whose first link is only for addresses in the United States.
    private func addRegionalChain(on database: isolated Connection) throws {
        try JobQueue().addLane("census", on: database)
        try ChainStore().set(
            "regional", to: Chain([.init("census", countries: ["US"]), .init("gazetteer")]), on: database)
    }

    private func place(of id: Int, on database: isolated Connection) throws -> (link: Int, lane: String) {
        let row = try database.query(
            """
            SELECT link, name
            FROM geocodes
            JOIN jobs ON jobs.id = geocodes.job
            JOIN lanes ON lanes.id = jobs.lane
            WHERE geocodes.id = \(id)
            """)[0]
        return (try row.read("link"), try row.read("name"))
    }

    @Test func `a coordinate begins at the first link that takes it, and its job is in that lane`() async throws {
        let here = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
        try await Database.test.transaction { db in
            try addRegionalChain(on: db)
            let id = try questions.askNow(.coordinate(here), along: "regional", on: db).id
            #expect(try place(of: id, on: db) == (1, "gazetteer"))
        }
    }

    @Test func `a question that waits is hurried in the lane of its own chain`() async throws {
        try await Database.test.transaction { db in
            try addRegionalChain(on: db)
            #expect(try questions.ask([NewQuestion(address)], along: "regional", on: db) == 1)
            let id = try questions.askNow(.address(address), along: "default", on: db).id
            #expect(try place(of: id, on: db) == (0, "census"))
            #expect(try jobs(on: db) == [[id]])
        }
    }

    @Test func `a hurried question leaves its job for its own`() async throws {
        let others = (1...3).map { Address(street: "\($0) High St", city: "Reno", country: "US") }
        try await Database.test.transaction { db in
            try db.query("UPDATE lanes SET batch = 10 WHERE name = 'gazetteer'")
            let all = (others + [address]).map { NewQuestion($0) }
            #expect(try questions.ask(all, along: "default", on: db) == 4)
            #expect(try jobs(on: db).map(\.count) == [4])
            #expect(try questions.hurry([AddressHash(address)], on: db) == 1)
            #expect(try jobs(on: db).map(\.count).sorted() == [1, 3])
            #expect(
                try db.query("SELECT FROM geocodes JOIN jobs ON jobs.id = job AND geocodes.id = ANY (subjects)").count
                    == 4)
        }
    }

    @Test func `an unknown chain is named, and nothing is asked`() async throws {
        try await Database.test.run { db throws in
            let error = #expect(throws: NoSuchChain.self) {
                try questions.askNow(.address(address), along: "nowhere", on: db)
            }
            #expect(error?.name == "nowhere")
            #expect(try db.query("SELECT FROM geocodes").count == 0)
        }
    }
}
