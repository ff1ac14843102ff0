import CLibpq
import DatabaseTesting
import Glibc
import Polling
import Processes
import Testing

@testable import Postgres

@Suite(.database)
struct CancellationTests {
    /// Waits until a statement with `mark` runs, or no longer runs, on the server.
    private func wait(for mark: String, running: Bool) async throws {
        let database = try Database.test
        try await pollUntil {
            let count: Int = try await database.query(
                """
                SELECT count(*) AS n FROM pg_stat_activity
                WHERE state = 'active' AND query LIKE \("%" + mark + "%") AND pid <> pg_backend_pid()
                """)[0].read("n")
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
        #expect(try await Database.test.query("SELECT FROM accounts").count == 0)
    }

    /// libpq connects and sends in two steps. Of a thousand requests one meets a server that ends in between.
    @Test func `a request to cancel that the server does not take does not end the process`() async throws {
        let (url, folder) = (try Database.testURL, "/tmp/waypost-cancel-\(getpid())")
        let host = String(try #require(url.firstMatch(of: /host=([^&]+)/)?.1))
        let path = "\(folder)/.s.PGSQL.5432"
        try #require(mkdir(folder, 0o700) == 0 && symlink("\(host)/.s.PGSQL.5432", path) == 0)
        defer {
            unlink(path)
            rmdir(folder)
        }
        let proxied = url.replacing(host, with: folder)
        await #expect(processExitsWith: .success) { [proxied = proxied as String, path = path as String] in
            let session = PQconnectdb(proxied)
            try #require(PQstatus(session) == CONNECTION_OK)
            startThread {
                var address = sockaddr_un(path)
                while true {
                    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                    unlink(path)
                    withUnsafePointer(to: &address) { address in
                        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            _ = bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                        }
                    }
                    listen(listener, 100)
                    usleep(20)
                    close(listener)
                }
            }
            for _ in 1...20_000 { _ = CancelRequest.send(for: session, within: 600) }
        }
    }
}

extension sockaddr_un {
    fileprivate init(_ path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.utf8) }
    }
}
