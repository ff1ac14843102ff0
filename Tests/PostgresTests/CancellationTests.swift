import DatabaseTesting
import Polling
import Postgres
import Testing

@Suite(.database)
struct CancellationTests {
    /// Waits until a statement with `mark` runs, or no longer runs, on the server.
    private func wait(for mark: String, running: Bool) async throws {
        let database = try Database.test
        try await pollUntil {
            let count: Int = try await database.run {
                try $0.query(
                    """
                    SELECT count(*) AS n FROM pg_stat_activity
                    WHERE state = 'active' AND query LIKE \("%" + mark + "%") AND pid <> pg_backend_pid()
                    """)[0].read("n")
            }
            return (count > 0) == running
        }
    }

    @Test func `cancelling a task cancels its statement on the server`() async throws {
        let database = try Database.test
        let task = Task { try await database.run { _ = try $0.query("SELECT pg_sleep(600), 'mark one'") } }
        try await wait(for: "mark one", running: true)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await wait(for: "mark one", running: false)
    }

    @Test func `a cancelled transaction is rolled back, and its connection stays usable`() async throws {
        let database = try Database(url: Database.testURL, options: .init(size: 1))
        let backend: Int = try await database.run { try $0.query("SELECT pg_backend_pid() AS pid")[0].read("pid") }
        let task = Task {
            try await database.transaction { db throws in
                try db.query("INSERT INTO accounts (name) VALUES ('a')")
                try db.query("SELECT pg_sleep(600), 'mark two'")
            }
        }
        try await wait(for: "mark two", running: true)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await database.run { db throws in
            #expect(try rows("SELECT FROM accounts", on: db).isEmpty)
            #expect(try rows("SELECT pg_backend_pid() AS pid", on: db)[0].read("pid") == backend)
        }
        await database.close()
    }

    @Test func `a task cancelled before it begins runs nothing`() async throws {
        let database = try Database.test
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await database.run { _ = try $0.query("INSERT INTO accounts (name) VALUES ('never')") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await database.run { try $0.query("SELECT FROM accounts").count } == 0)
    }

    @Test func `a statement over its limit is cancelled, and the connection stays usable`() async throws {
        let database = try Database(url: Database.testURL, options: .init(size: 1))
        try await database.run { db throws in
            let backend: Int = try db.query("SELECT pg_backend_pid() AS pid")[0].read("pid")
            let error = #expect(throws: DatabaseError.self) {
                try db.query("SELECT pg_sleep(600)", within: .milliseconds(50))
            }
            #expect(error?.message == "the statement took longer than its limit of 50 ms and was cancelled")
            #expect(try rows("SELECT pg_backend_pid() AS pid", on: db)[0].read("pid") == backend)
        }
        await database.close()
    }

    @Test func `a transaction over its limit is cancelled and rolled back`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.transaction(within: .milliseconds(50)) { db throws in
                try db.query("INSERT INTO accounts (name) VALUES ('a')")
                while true { try db.query("SELECT pg_sleep(0.01)") }
            }
        }
        #expect(error?.message == "the transaction took longer than its limit of 50 ms and was cancelled")
        #expect(try await Database.test.run { try $0.query("SELECT FROM accounts").count } == 0)
    }
}
