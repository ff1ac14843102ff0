import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct TransactionTests {
    private struct Halt: Error {}

    private func accounts() async throws -> Int {
        try await Database.test.query("SELECT count(*) AS n FROM accounts")[0].read("n")
    }

    @Test func `a body that throws is rolled back, and the connection stays usable`() async throws {
        await #expect(throws: Halt.self) {
            try await Database.test.transaction { db throws in
                try db.query("INSERT INTO accounts (name) VALUES ('a')")
                throw Halt()
            }
        }
        #expect(try await accounts() == 0)
    }

    @Test func `a failed statement that the body ignores still fails the transaction`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.transaction { db throws in
                try db.query("INSERT INTO accounts (name) VALUES ('a')")
                _ = try? db.query("SELECT 1 / 0")
            }
        }
        #expect(error?.message.contains("rolled back") == true)
        #expect(try await accounts() == 0)
    }

    @Test func `a nested transaction commits with the outer one, or not at all`() async throws {
        await #expect(throws: Halt.self) {
            try await Database.test.transaction { db throws in
                try db.transaction { _ = try $0.query("INSERT INTO accounts (name) VALUES ('a')") }
                throw Halt()
            }
        }
        #expect(try await accounts() == 0)
        try await Database.test.transaction { db in
            try db.transaction { _ = try $0.query("INSERT INTO accounts (name) VALUES ('a')") }
        }
        #expect(try await accounts() == 1)
    }

    @Test func `a transaction left open by hand is rolled back before the next caller`() async throws {
        var options = Database.Options(size: 1)
        options.size = 1
        let database = try Database(url: Database.testURL, options: options)
        try await database.run { db throws in
            try db.query("BEGIN")
            try db.query("INSERT INTO accounts (name) VALUES ('a')")
        }
        #expect(try await database.run { try $0.query("SELECT FROM accounts").count } == 0)
        await database.close()
    }

    @Test func `a statement is prepared once for each connection`() async throws {
        try await Database.test.run { db throws in
            for number in 1...3 { try db.query("SELECT \(number)::integer AS \(identifier: "once")") }
            let prepared = try db.query(
                "SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE '%\"once\"'")
            #expect(try prepared[0].read("n") == 1)
        }
    }

    @Test func `a table changed under a prepared statement causes no error`() async throws {
        try await Database.test.run { db throws in
            try db.run(script: "CREATE TABLE growing (a integer); INSERT INTO growing VALUES (1)")
            #expect(try rows("SELECT * FROM growing", on: db).count == 1)
            try db.run(script: "ALTER TABLE growing ADD COLUMN b integer DEFAULT 2")
            #expect(try rows("SELECT * FROM growing", on: db)[0].read("b") == 2)
        }
    }
}
