import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct ErrorTests {
    @Test func `a mistake in a statement is reported without its values`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.query("SELECT nme FROM jobs WHERE worker = \("secret")::integer")
        }
        #expect(
            error?.description == """
                postgres: column "nme" does not exist (42703)
                  while running: SELECT nme FROM jobs WHERE worker = $1::integer
                """)
        #expect(error?.isWorthRetrying == false)
    }

    @Test func `an error of a long script contains only its beginning`() async throws {
        let script = "SELECT nme FROM jobs" + String(repeating: "\n-- A line.", count: 1_000)
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run(script: script)
        }
        let text = try #require(error?.description)
        #expect(text.contains("while running: SELECT nme FROM jobs\n") && text.hasSuffix(" …") && text.count < 1_200)
    }

    @Test func `a value that the server rejects is not in the message`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.query("SELECT \("10 Downing \"St\"")::integer")
        }
        #expect(error?.message == "invalid input syntax for type integer: \"…\"")
        #expect(error?.sqlState == "22P02")
    }

    @Test func `errors of a pooler that was not recognised name the remedy`() async throws {
        // The errors of such a pooler: another client of the session has prepared the same name, or discarded it.
        let lost = await #expect(throws: DatabaseError.self) {
            try await Database.test.transaction { db throws in
                for _ in 1...2 {
                    try db.query("SELECT \(1) AS lost")
                    try db.run(script: "DEALLOCATE ALL")
                }
            }
        }
        let taken = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { db throws in
                for number in 1...99 { try db.run(script: "PREPARE s\(number) AS SELECT") }
                try db.query("SELECT \(1) AS taken")
            }
        }
        #expect([taken?.sqlState, lost?.sqlState] == ["42P05", "26000"])
        for error in [taken, lost] {
            #expect(error?.hint?.contains("point DATABASE_URL at") == true && error?.isOfPooler == true)
        }
    }

    @Test func `a violated constraint is named, but not its row`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { db throws in
                try db.query("INSERT INTO accounts (name) VALUES (\("Jane Doe"))")
                try db.query("INSERT INTO accounts (name) VALUES (\("Jane Doe"))")
            }
        }
        #expect(error?.sqlState == "23505")
        #expect(error?.description.contains("accounts_name_key") == true)
        #expect(error?.description.contains("Jane") == false)
    }

    @Test func `a full disk is reported without the statement`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run(
                script: "DO $$ BEGIN RAISE 'no room' USING ERRCODE = '53100', HINT = 'make some'; END $$")
        }
        #expect(error?.description == "postgres: no room (53100)\n  hint: make some")
        #expect(error?.isShortOfResources == true)
        #expect(error?.isWorthRetrying == false)
    }

    @Test func `a lost connection is reported without the statement`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.query("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(1)")
        }
        #expect(
            error?.description == """
                postgres: terminating connection due to administrator command (57P01)
                  hint: try again when the database is back
                """)
    }

    @Test func `the loser of a deadlock may try again`() async throws {
        let database = try Database.test
        try await database.run(script: "CREATE TABLE pairs (id integer PRIMARY KEY); INSERT INTO pairs VALUES (1), (2)")
        let both = Rendezvous(of: 2)
        func lock(_ first: Int, _ second: Int) async -> DatabaseError? {
            do {
                try await database.transaction { db throws in
                    try db.query("SELECT FROM pairs WHERE id = \(first) FOR UPDATE")
                    both.arriveAndWait()
                    try db.query("SELECT FROM pairs WHERE id = \(second) FOR UPDATE")
                }
                return nil
            } catch { return error as? DatabaseError }
        }
        async let one = lock(1, 2)
        async let other = lock(2, 1)
        let losers = await [one, other].compactMap { $0 }
        #expect(losers.map(\.sqlState) == ["40P01"])
        #expect(losers.first?.isWorthRetrying == true)
    }

    @Test func `a missing server is worth another try, a missing database is not`() async throws {
        var options = Database.Options(size: 1)
        options.waitLimit = .milliseconds(200)
        let nobody = await #expect(throws: DatabaseError.self) {
            try await Database(url: "host=/nonexistent dbname=x", options: options).run { _ = try $0.query("SELECT 1") }
        }
        #expect(nobody?.isWorthRetrying == true)
        #expect(nobody?.hint?.contains("no server answers") == true)
        let url = try Database.testURL.replacing("///waypost_test", with: "///waypost_missing")
        let missing = await #expect(throws: DatabaseError.self) {
            try await Database(url: url).run { _ = try $0.query("SELECT 1") }
        }
        #expect(missing?.isWorthRetrying == false)
        #expect(missing?.message.contains("does not exist") == true)
    }
}
