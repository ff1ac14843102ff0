import DatabaseTesting
import Postgres
import ServerTesting
import Testing

/// Statements that are sent in the same round trip as the next one.
@Suite(.database)
struct AheadTests {
    private struct Halt: Error {}

    private func with(_ body: (Database) async throws -> Void) async throws {
        let database = try Database(url: Database.testURL, options: .init(size: 1))
        try await body(database)
        await database.close()
    }

    private func setting(_ db: isolated Connection) throws -> String? {
        try db.query("SELECT current_setting('waypost.test', true) AS value")[0].readIfPresent("value")
    }

    private func look(_ db: isolated Connection) throws -> String? {
        try db.query("SELECT *, current_setting('waypost.test', true) AS value FROM things")[0].readIfPresent("value")
    }

    private func failure(
        on db: isolated Connection, of body: (isolated Connection) throws -> Void
    ) -> (any Error)? {
        do { try body(db) } catch { return error }
        return nil
    }

    @Test func `a transaction of two statements takes three round trips, and an empty one none`() async throws {
        let distant = try DistantServer(to: Database.testURL, roundTrip: .zero)
        defer { distant.close() }
        let database = Database(url: distant.url, options: .init(size: 1))
        func trips(_ body: @Sendable (isolated Connection) throws -> Void) async throws -> Int {
            let before = distant.piecesSent
            try await database.run(body)
            return distant.piecesSent - before
        }
        try await database.run { db in _ = try db.query("SELECT 0") }
        let two: @Sendable (isolated Connection) throws -> Void = { db in
            try db.set("waypost.test", to: "1")
            try db.transaction { db throws in
                try db.query("SELECT 1")
                try db.query("SELECT 2")
            }
        }
        #expect(try await trips(two) == 3)
        // The number is the same when statements are prepared and settings are set.
        #expect(try await trips(two) == 3)
        #expect(try await trips { try $0.transaction { _ in } } == 0)
        #expect(try await trips { try $0.set("waypost.test", to: "1") } == 0)
        await database.close()
    }

    @Test func `statements ahead share the round trip of the next one, and of the commit`() async throws {
        let distant = try DistantServer(to: Database.testURL, roundTrip: .zero)
        defer { distant.close() }
        let database = Database(url: distant.url, options: .init(size: 1))
        try await database.run { db in _ = try db.query("SELECT 0") }
        for _ in 0..<2 {
            let before = distant.piecesSent
            try await database.transaction { db throws in
                let first = try db.queryAhead("SELECT \(1)::bigint AS one")
                let second = try db.queryAhead("SELECT \(2)::bigint AS one")
                #expect(try db.query("SELECT 3::bigint AS one")[0].read("one") == 3)
                #expect(try first.read()[0].read("one") == 1)
                #expect(try second.read()[0].read("one") == 2)
                try db.queryAhead("INSERT INTO accounts (name) VALUES ('a' || clock_timestamp())")
            }
            #expect(distant.piecesSent - before == 2)
        }
        #expect(try await database.run { try $0.query("SELECT FROM accounts").count } == 2)
        await database.close()
    }

    @Test func `a statement ahead that fails undoes its transaction, and the error names it`() async throws {
        try await with { database throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction { db throws in
                    try db.query("INSERT INTO accounts (name) VALUES ('a')")
                    try db.queryAhead("SELECT 1 / 0 AS wrong")
                }
            }
            #expect(error?.sqlState == "22012")
            #expect(error?.statement?.contains("wrong") == true)
            #expect(try await database.run { try $0.query("SELECT FROM accounts").isEmpty })
            await #expect(throws: DatabaseError.self) {
                try await database.run { db in _ = try db.queryAhead("SELECT 1") }
            }
        }
    }

    @Test func `a script and a copy run in the open transaction`() async throws {
        try await with { database throws in
            await #expect(throws: Halt.self) {
                try await database.transaction { db throws in
                    try db.run(script: "INSERT INTO accounts (name) VALUES ('a')")
                    throw Halt()
                }
            }
            await #expect(throws: Halt.self) {
                try await database.transaction { db throws in
                    try db.copy(into: "accounts (name)") { try $0.append("b") }
                    throw Halt()
                }
            }
            #expect(try await database.run { try $0.query("SELECT FROM accounts").isEmpty })
        }
    }

    /// Otherwise the next statement would see another account's rows.
    @Test func `after any failure, the next statement has the requested setting`() async throws {
        let failing: [@Sendable (isolated Connection) throws -> Void] = [
            { db in _ = try db.query("SELECT 1 / 0") },
            { db in try db.run(script: "SELECT 1 / 0") },
            { db in _ = try db.query("SELECT nobody") },
            { db in try db.transaction { _ = try $0.query("SELECT 1 / 0") } },
            { db in
                try db.transaction { db throws in
                    try db.query("SELECT 1")
                    throw Halt()
                }
            },
            { db in
                try db.transaction { db throws in
                    try db.query("SELECT 1")
                    _ = try? db.query("SELECT 1 / 0")
                }
            },
            { db in
                try db.transaction { _ in throw Halt() }
            },
            { db in _ = try db.query("SELECT pg_sleep(10)", within: .milliseconds(20)) },
        ]
        try await with { database throws in
            for (number, fail) in failing.enumerated() {
                try await database.run { db throws in
                    try db.set("waypost.test", to: "before")
                    #expect(try setting(db) == "before")
                    try db.set("waypost.test", to: "\(number)")
                    #expect(failure(on: db, of: fail) != nil)
                    #expect(try setting(db) == "\(number)", "after failure \(number)")
                }
            }
        }
    }

    @Test func `a statement whose plan was discarded runs again with the setting`() async throws {
        try await with { database throws in
            try await database.run { db throws in
                try db.run(script: "CREATE TABLE things AS SELECT 1 AS one")
                try db.set("waypost.test", to: "ada")
                #expect(try look(db) == "ada")
                try db.run(script: "ALTER TABLE things ADD two int")
                try db.set("waypost.test", to: "eve")
                #expect(try look(db) == "eve")
            }
        }
    }

    @Test func `a statement that fails when first prepared is prepared once`() async throws {
        try await with { database throws in
            try await database.run { db throws in
                for _ in 0..<2 {
                    let error = failure(on: db) { _ = try $0.query("SELECT 1 / (SELECT 0)") }
                    #expect((error as? DatabaseError)?.sqlState == "22012")
                }
                for one in [1, 2] { #expect(try db.query("SELECT \(one)::bigint AS one")[0].read("one") == one) }
                #expect(try db.query("SELECT FROM pg_prepared_statements WHERE NOT from_sql").count == 3)
            }
        }
    }

    @Test func `a server that ends in the middle gives its reason`() async throws {
        try await with { database throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction { db throws in
                    try db.query("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(10)")
                }
            }
            #expect(error?.sqlState == "57P01")
            #expect(error?.isConnectionLost == true)
            #expect(try await database.run { try $0.query("SELECT 1").count } == 1)
        }
    }
}
