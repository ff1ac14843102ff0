import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct RoleTests {
    private func who(_ db: isolated Connection) throws -> String {
        try db.query("SELECT current_user AS name")[0].read("name")
    }

    private func setting(_ db: isolated Connection) throws -> String? {
        try db.query("SELECT current_setting('waypost.test', true) AS value")[0].readIfPresent("value")
    }

    /// Kills the only backend of a pool, and waits until it is gone.
    private func end(_ database: Database) async throws {
        let backend: Int = try await database.run { try $0.query("SELECT pg_backend_pid() AS id")[0].read("id") }
        try await Database.test.query("SELECT pg_terminate_backend(\(backend)::integer, 5000)")
    }

    @Test func `a pool with a role sets it on each connection, in any spelling`() async throws {
        let role = "of \"\(Int.random(in: 1...Int.max))\"; RESET ROLE"
        try await Database.test.query("CREATE ROLE \(identifier: role)")
        let database = try Database.test(as: role)
        #expect(try await database.run { try who($0) } == role)
        try await end(database)
        #expect(try await database.run { try who($0) } == role)
        await database.close()
    }

    @Test func `a missing or forbidden role is reported with the remedy`() async throws {
        let missing = try Database.test(as: "nobody")
        let error = await #expect(throws: DatabaseError.self) { try await missing.run { try who($0) } }
        #expect(error?.message == "role \"…\" does not exist")
        let hint = "let the owner prepare the database, which creates the roles, and grant nobody to this login"
        #expect(error?.hint == hint)
        await missing.close()
    }

    @Test func `a setting that already has its value is not sent again`() async throws {
        let database = try Database(url: Database.testURL, options: .init(size: 1))
        try await database.run { db throws in
            try db.set("waypost.test", to: "1")
            #expect(try setting(db) == "1")
            // Changes the setting without the connection's knowledge. The connection would set it again if it sent
            // anything.
            try db.query("SET waypost.test = 'elsewhere'")
        }
        try await database.run { db throws in
            try db.set("waypost.test", to: "1")
            #expect(try setting(db) == "elsewhere")
            try db.set("waypost.test", to: "2")
            #expect(try setting(db) == "2")
        }
        await database.close()
    }

    @Test func `a new connection does not inherit settings of the one it replaces`() async throws {
        let database = try Database(url: Database.testURL, options: .init(size: 1))
        try await database.run { try $0.set("waypost.test", to: "1") }
        try await end(database)
        #expect(try await database.run { try setting($0) } == nil)
        try await database.run { db throws in
            try db.set("waypost.test", to: "1")
            #expect(try setting(db) == "1")
        }
        await database.close()
    }

    @Test func `a setting is refused in a transaction, which might roll it back`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.transaction { try $0.set("waypost.test", to: "1") }
        }
        #expect(error?.message.contains("waypost.test is set inside a transaction") == true)
        try await Database.test.run { db throws in
            try db.set("waypost.test", to: "1")
            try db.transaction { db throws in
                try db.set("waypost.test", to: "1")
                #expect(try setting(db) == "1")
            }
        }
    }
}
