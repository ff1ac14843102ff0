import DatabaseTesting
import Foundation
import Polling
import Postgres
import Processes
import Testing

@Suite(.database)
struct PoolTests {
    private func pool(_ size: Int, waitLimit: Duration = .seconds(30)) throws -> Database {
        var options = Database.Options(size: size)
        options.waitLimit = waitLimit
        options.applicationName = "pool under test"
        return try Database(url: Database.testURL, options: options)
    }

    /// The number of the pool's sessions on the server.
    private func sessions() async throws -> Int {
        try await Database.test.query(
            """
            SELECT count(*) AS n FROM pg_stat_activity
            WHERE application_name = 'pool under test' AND datname = current_database()
            """)[0].read("n")
    }

    @Test func `ten callers for each connection are all served, within the pool's size`() async throws {
        let database = try pool(4)
        let users = Users()
        let full = Rendezvous(of: 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    for _ in 0..<25 {
                        try await database.run { db in
                            users.come()
                            full.arriveAndWait()
                            try db.query("SELECT 1")
                            users.go()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(users.most == 4)
        #expect(try await sessions() == 4)
        await database.close()
        try await pollUntil { try await sessions() == 0 }
    }

    @Test func `waiting too long for a connection is an error`() async throws {
        let database = try pool(1, waitLimit: .milliseconds(50))
        let (held, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let holder = Task {
            try await database.run { _ in
                held.arriveAndWait()
                released.arriveAndWait()
            }
        }
        await held.arrive()
        let error = await #expect(throws: DatabaseError.self) { try await database.run { try $0.query("SELECT 1") } }
        #expect(error?.message == "all 1 connections were in use for 50 ms")
        await released.arrive()
        try await holder.value
        try await database.run { try $0.query("SELECT 1") }
        await database.close()
    }

    @Test func `an idle connection is closed after the limit`() async throws {
        let database = try pool(2)
        let both = Rendezvous(of: 2)
        async let one: Void = database.run { _ in both.arriveAndWait() }
        async let other: Void = database.run { _ in both.arriveAndWait() }
        _ = try await (one, other)
        let limit = Database.Options().idleLimit
        await database.closeIdle(at: .now + limit / 2)
        #expect(try await sessions() == 2)
        await database.closeIdle(at: .now + limit)
        try await pollUntil { try await sessions() == 0 }
        try await database.run { try $0.query("SELECT 1") }
        await database.close()
    }

    @Test func `idle connections are closed without a call`() async throws {
        var options = Database.Options(size: 1)
        options.applicationName = "pool under test"
        options.idleLimit = .milliseconds(1)
        let database = Database(url: try Database.testURL, options: options)
        for _ in 1...3 {
            try await database.run { try $0.query("SELECT 1") }
            try await pollUntil { try await sessions() == 0 }
        }
        await database.close()
    }

    /// Returns the number of connections when one caller holds a connection, and another one wants one.
    private func sessionsOfTwo(openingDelay: Duration, releaseFirst: Bool) async throws -> Int {
        var options = Database.Options(size: 2)
        options.applicationName = "pool under test"
        options.openingDelay = openingDelay
        let database = Database(url: try Database.testURL, options: options)
        let (held, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let holder = Task {
            try await database.run { _ in
                held.arriveAndWait()
                released.arriveAndWait()
            }
        }
        await held.arrive()
        let second = Task { try await database.run { try $0.query("SELECT 1") } }
        try await pollUntil { database.use.waiting == 1 || database.use.busy == 2 || database.use.idle == 1 }
        if releaseFirst { await released.arrive() }
        _ = try await second.value
        if !releaseFirst { await released.arrive() }
        try await holder.value
        let count = try await sessions()
        await database.close()
        try await pollUntil { try await sessions() == 0 }
        return count
    }

    @Test func `another connection is opened only for a caller that has waited`() async throws {
        #expect(try await sessionsOfTwo(openingDelay: .seconds(600), releaseFirst: true) == 1)
        #expect(try await sessionsOfTwo(openingDelay: .milliseconds(1), releaseFirst: false) == 2)
    }

    @Test func `cancelled waiters leave the queue and use up no connection`() async throws {
        let database = try pool(1)
        let (held, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let holder = Task {
            try await database.run { _ in
                held.arriveAndWait()
                released.arriveAndWait()
            }
        }
        await held.arrive()
        let waiters = (0..<100).map { _ in Task { try await database.run { try $0.query("SELECT 1") } } }
        for waiter in waiters { waiter.cancel() }
        for waiter in waiters { await #expect(throws: CancellationError.self) { try await waiter.value } }
        await released.arrive()
        try await holder.value
        try await database.run { try $0.query("SELECT 1") }
        #expect(try await sessions() == 1)
        await database.close()
    }

    @Test func `after every backend was killed, idle callers get no error`() async throws {
        let database = try pool(4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await database.run { try $0.query("SELECT pg_sleep(0.01)") } } }
            try await group.waitForAll()
        }
        try await Database.test.query(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE application_name = 'pool under test' AND datname = current_database()
            """)
        #expect(try await sessions() == 0)
        for _ in 0..<8 { try await database.run { try $0.query("SELECT 1") } }
        await database.close()
    }

    @Test func `a backend killed within a statement gives an error, and a new one replaces it`() async throws {
        let database = try pool(1)
        let error = await #expect(throws: DatabaseError.self) {
            try await database.run { try $0.query("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(1)") }
        }
        #expect(error?.sqlState == "57P01")
        #expect(error?.isConnectionLost == true)
        #expect(error?.isWorthRetrying == true)
        try await database.run { try $0.query("SELECT 1") }
        await database.close()
    }

    @Test func `when a connection can't be opened, each waiting caller gets the reason at once`() async throws {
        var options = Database.Options(size: 1)
        options.waitLimit = .seconds(600)
        let name: String = try await Database.test.query("SELECT current_database() AS name")[0].read("name")
        let database = Database(
            url: try Database.testURL.replacing(name, with: "there_is_no_such_database"), options: options)
        let reasons = await withTaskGroup(of: String.self) { group in
            for _ in 1...20 {
                group.addTask {
                    do {
                        try await database.run { _ in }
                        return "none"
                    } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(reasons.count == 20)
        #expect(reasons.allSatisfy { $0.contains("does not exist") }, "\(Set(reasons))")
        await database.close()
    }

    @Test func `connections that broke while callers waited are all replaced`() async throws {
        let database = try pool(2, waitLimit: .seconds(5))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try? await database.run { try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
                }
            }
        }
        // Both connections exist at the same time.
        let both = Rendezvous(of: 2)
        async let one: Void = database.run { _ in both.arriveAndWait() }
        async let other: Void = database.run { _ in both.arriveAndWait() }
        _ = try await (one, other)
        await database.close()
    }

    @Test func `a closed pool refuses, and its sessions end`() async throws {
        let database = try pool(2)
        try await database.run { try $0.query("SELECT 1") }
        await database.close()
        let error = await #expect(throws: DatabaseError.self) { try await database.run { try $0.query("SELECT 1") } }
        #expect(error?.message == "this pool of connections is closed")
        try await pollUntil { try await sessions() == 0 }
    }
}

/// Counts concurrent users.
private final class Users: Sendable {
    private let inside = Locked((now: 0, most: 0))

    var most: Int { inside.withLock { $0.most } }

    func come() {
        inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    }

    func go() {
        inside.withLock { $0.now -= 1 }
    }
}

/// These tests need their own server, which they stop and start.
struct RestartTests {
    @Test func `the pool survives server restarts while in use`() async throws {
        let folder = "/tmp/waypost-restart-\(getpid())"
        let server = try await PrivateServer.start(in: folder)
        let database = Database(url: server.url, options: .init(size: 4))
        /// A statement that runs while the server stops fails, and is then repeated.
        @Sendable func use() async throws {
            do {
                try await database.run { try $0.query("SELECT 1") }
            } catch let error as DatabaseError where error.isWorthRetrying {
                try await use()
            }
        }
        func useAll() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { try await use() } }
                try await group.waitForAll()
            }
        }
        try await useAll()
        for _ in 0..<2 {
            // Callers arrive while the server is down, and wait until it is back.
            async let restarted: Void = server.restart()
            try await useAll()
            try await restarted
        }
        try await useAll()
        await database.close()
        await server.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `of several hosts, the pool finds the writable one after they change roles`() async throws {
        let one = try await PrivateServer.start(in: "/tmp/waypost-one-\(getpid())", .temporary)
        let other = try await PrivateServer.start(in: "/tmp/waypost-other-\(getpid())", .temporary)
        func setReadOnly(_ server: PrivateServer, _ isReadOnly: Bool, ending: Bool = true) async throws {
            let admin = Database(url: server.url(of: "postgres"), options: .init(size: 1))
            try await admin.run { db in
                try db.run(script: "ALTER DATABASE waypost SET default_transaction_read_only = \(isReadOnly)")
                guard ending else { return }
                try db.query("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'waypost'")
            }
            await admin.close()
        }
        func socket(_ server: PrivateServer) -> String {
            String(server.url.split(separator: "host=")[1].prefix { $0 != "&" })
        }
        try await setReadOnly(other, true)
        let database = Database(
            url: "host=\(socket(one)),\(socket(other)) user=waypost dbname=waypost target_session_attrs=read-write",
            options: .init(size: 2))
        func writtenTo() async throws -> String {
            try await database.run { db in
                try db.query("CREATE TEMPORARY TABLE IF NOT EXISTS note (id integer)")
                return try db.query("SHOW unix_socket_directories")[0].read("unix_socket_directories")
            }
        }
        #expect(try await writtenTo() == socket(one))
        try await setReadOnly(one, true)
        try await setReadOnly(other, false)
        #expect(try await writtenTo() == socket(other))

        // The primary changes again, and the former one is stopped: it ends no session. The first new connection shows
        // where the primary is.
        let waiting = Task { try await database.run { try $0.query("SELECT pg_sleep(600)").count } }
        try await pollUntil { database.use.busy == 1 }
        try await setReadOnly(other, true, ending: false)
        try await setReadOnly(one, false)
        let heart = database.beside(size: 1, waitLimit: .seconds(30))
        try await heart.run { try $0.query("SELECT 1") }
        let error = await #expect(throws: DatabaseError.self) { try await waiting.value }
        #expect(error?.isConnectionLost == true)
        #expect(try await writtenTo() == socket(one))
        await heart.close()
        await database.close()
        await one.stop()
        await other.stop()
    }
}
