import DatabaseTesting
import Postgres
import ServerTesting
import Testing

@Suite(.database)
struct OpeningTests {
    @Test func `a connection reset while it opens is opened again`() async throws {
        let way = try DistantServer(to: Database.testURL, roundTrip: .zero)
        defer { way.close() }
        let database = Database(url: way.url, options: .init(size: 1))
        try await database.run { _ = try $0.query("SELECT 1") }
        for every in [2, 3] {
            way.resetOpenings(every: every)
            way.breakConnections()
            try await database.run { _ = try $0.query("SELECT 1") }
        }
        await database.close()
    }

    @Test func `a connection to a server that became read-only is replaced`() async throws {
        let database = Database(url: try Database.testURL, options: .init(size: 1))
        // A proxy may keep the connection to a primary that became a standby.
        try await database.run { try $0.run(script: "SET default_transaction_read_only = on") }
        let error = await #expect(throws: DatabaseError.self) {
            try await database.run { _ = try $0.query("INSERT INTO accounts (name) VALUES ('a')") }
        }
        #expect(error?.isWorthRetrying == true)
        try await database.run { _ = try $0.query("INSERT INTO accounts (name) VALUES ('a')") }
        await database.close()
    }

    @Test(arguments: [("user=waypost", "user=nobody", "28000"), ("/waypost_test", "/missing_", "3D000")])
    func `a login refused for good is not tried again`(
        part: String, other: String, state: String
    ) async throws {
        let database = Database(url: try Database.testURL.replacing(part, with: other), options: .init(size: 1))
        let error = await #expect(throws: DatabaseError.self) {
            try await database.run { _ = try $0.query("SELECT 1") }
        }
        #expect(error?.sqlState == state)
        #expect(error?.isWorthRetrying == false)
        #expect(error?.message.contains("does not exist") == true)
        // A worker with an unsaved answer tries again, because an operator may create the role or the database.
        #expect(error?.mayBeOfValues == false)
        await database.close()
    }

    @Test(arguments: ["22001", "23505", "P0001", "54000"])
    func `a value that the server refuses may be the cause`(state: String) {
        #expect(DatabaseError(message: "no", sqlState: state).mayBeOfValues)
    }

    @Test func `a value that was never sent may be the cause`() {
        #expect(DatabaseError(message: "a value holds a zero byte").mayBeOfValues)
    }
}
