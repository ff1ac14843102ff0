import DatabaseTesting
import Foundation
import Polling
import Postgres
import Processes
import Testing

/// Connections through a real PgBouncer that shares the server's sessions by transaction.
@Suite(.database)
struct PoolerTests {
    private func value(_ setting: String, on db: isolated Connection) throws -> String? {
        try db.query("SELECT current_setting(\(setting), true) AS value")[0].readIfPresent("value")
    }

    /// How the connection works, as text.
    private func kind(of database: Database) async throws -> String {
        try await database.run { ($0.isPooled ? "pooled" : "own") + ($0.preparesStatements ? ", prepares" : "") }
    }

    private func failure(
        on db: isolated Connection, of body: (isolated Connection) throws -> Void
    ) -> DatabaseError? {
        do { try body(db) } catch { return error as? DatabaseError }
        return nil
    }

    private func count(_ query: SQL, on db: isolated Connection) throws -> Int { try db.query(query).count }

    private func session(on db: isolated Connection) throws -> Int {
        try db.query("SELECT pg_backend_pid() AS id")[0].read("id")
    }

    private func with(
        _ url: String, size: Int = 1, role: String? = nil, plansOnce: Bool = false,
        waitLimit: Duration = .seconds(600),
        _ body: (Database) async throws -> Void
    ) async throws {
        var options = Database.Options(size: size)
        (options.role, options.plansOnce, options.waitLimit) = (role, plansOnce, waitLimit)
        let database = Database(url: url, options: options)
        try await body(database)
        await database.close()
    }

    @Test func `forty connections work on two sessions of the server, with the same statements`() async throws {
        try await Database.pooled(sessions: 2) { _, url in
            try await with(url, size: 40) { database in
                #expect(try await kind(of: database) == "pooled")
                let sessions = try await withThrowingTaskGroup(of: [Int].self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            try await database.run { db throws in
                                try (0..<5).map { turn in
                                    let sum: Int = try db.query("SELECT \(number)::bigint + \(turn)::bigint AS sum")[0]
                                        .read("sum")
                                    #expect(sum == number + turn)
                                    return try session(on: db)
                                }
                            }
                        }
                    }
                    return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
                }
                #expect(sessions.count <= 2)
            }
        }
        #expect(try await kind(of: Database.test) == "own, prepares")
    }

    /// Two clients share one session of the server, so each setting that stayed there would reach the other one.
    @Test func `each transaction has the settings of its client, and none of another`() async throws {
        try await Database.pooled(sessions: 1) { _, url in
            try await with(url, role: "waypost_api", plansOnce: true) { ada in
                try await with(url) { bob in
                    for round in 1...3 {
                        let first = try await ada.run { db throws in
                            try db.set("waypost.account", to: "\(round)")
                            try db.run(script: "SELECT set_config('waypost.test', current_user, false)")
                            #expect(try value("waypost.test", on: db) == "waypost_api")
                            #expect(try value("waypost.account", on: db) == "\(round)")
                            try db.transaction { db throws in
                                try db.query("SELECT")
                                #expect(try value("role", on: db) == "waypost_api")
                                #expect(try value("enable_seqscan", on: db) == "off")
                                #expect(try value("waypost.account", on: db) == "\(round)")
                            }
                            var copied: [String?] = []
                            try db.copy(outOf: "SELECT current_user, current_setting('waypost.account')") {
                                copied += $0.fields
                            }
                            #expect(copied == ["waypost_api", "\(round)"])
                            return try session(on: db)
                        }
                        let second = try await bob.run { db throws in
                            #expect(try value("role", on: db) == "none")
                            #expect(try value("enable_seqscan", on: db) == "on")
                            #expect(["", nil].contains(try value("waypost.account", on: db)))
                            #expect(try value("jit", on: db) == "off")
                            return try session(on: db)
                        }
                        #expect(first == second)
                    }
                }
            }
        }
    }

    @Test func `a statement that fails leaves the next one its settings`() async throws {
        try await Database.pooled(sessions: 1) { _, url in
            try await with(url, role: "waypost_api") { database in
                try await database.run { db throws in
                    try db.set("waypost.account", to: "7")
                    for statement: SQL in ["SELECT 1 / 0", "SELECT nobody"] {
                        let error = failure(on: db) { try $0.transaction { _ = try $0.query(statement) } }
                        #expect(error != nil)
                        #expect(try value("waypost.account", on: db) == "7")
                        #expect(try value("role", on: db) == "waypost_api")
                    }
                }
            }
        }
    }

    @Test func `a snapshot has the settings too`() async throws {
        try await Database.pooled(sessions: 1) { _, url in
            try await with(url, role: "waypost_api") { database in
                try await database.transaction(isSnapshot: true) { db throws in
                    #expect(try value("transaction_isolation", on: db) == "repeatable read")
                    #expect(try value("role", on: db) == "waypost_api")
                }
            }
        }
    }

    @Test func `a role that is missing is reported with the remedy`() async throws {
        try await Database.pooled(sessions: 1) { _, url in
            try await with(url, role: "nobody") { database in
                let error = await #expect(throws: DatabaseError.self) { try await database.run { _ in } }
                #expect(error?.statement == "SET ROLE nobody" && error?.hint?.contains("grant nobody") == true)
            }
        }
    }

    @Test func `cancelling and time limits reach only the client's own statement`() async throws {
        try await Database.pooled(sessions: 2) { _, url in
            try await with(url, size: 2) { database in
                let gate = Rendezvous(of: 2)
                let patient = Task {
                    try await database.transaction { db throws in
                        try db.query("SELECT")
                        gate.arriveAndWait()
                        try db.query("SELECT pg_sleep(0.5)")
                    }
                }
                await gate.arrive()
                try await database.run { db throws in
                    let error = failure(on: db) { _ = try $0.query("SELECT pg_sleep(600)", within: .milliseconds(100)) }
                    #expect(error?.isOverTime == true)
                    #expect(try count("SELECT", on: db) == 1)
                }
                let cancelled = Task { try await database.run { _ = try $0.query("SELECT pg_sleep(600)") } }
                cancelled.cancel()
                await #expect(throws: CancellationError.self) { try await cancelled.value }
                try await patient.value
                #expect(try await database.run { try $0.query("SELECT").count } == 1)
            }
        }
    }

    @Test func `a client that waits for a session gives up at its limit`() async throws {
        try await Database.pooled(sessions: 1) { _, url in
            try await with(url, size: 2) { database in
                try await with(url) { open in
                    try await open.run { _ = try $0.query("SELECT") }
                    let (taken, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
                    let holder = Task {
                        try await database.transaction { db throws in
                            try db.query("SELECT")
                            taken.arriveAndWait()
                            over.arriveAndWait()
                        }
                    }
                    await taken.arrive()
                    let late = await #expect(throws: DatabaseError.self) {
                        try await open.run(within: .milliseconds(100)) { _ = try $0.query("SELECT") }
                    }
                    #expect(late?.isOverTime == true || late?.isConnectionLost == true)
                    try await with(url, waitLimit: .milliseconds(100)) { new in
                        let error = await #expect(throws: DatabaseError.self) { try await new.run { _ in } }
                        #expect(error?.isWorthRetrying == true)
                        #expect(error?.message.contains("no session of PostgreSQL within 100 ms") == true)
                    }
                    await over.arrive()
                    try await holder.value
                    #expect(try await kind(of: open) == "pooled")
                }
            }
        }
    }

    @Test func `a pool works again after the pooler crashed`() async throws {
        try await Database.pooled(sessions: 2) { pooler, url in
            try await with(url, size: 2) { database in
                for _ in 1...3 {
                    try await database.run { db throws in
                        try db.set("waypost.test", to: "kept")
                        #expect(try value("waypost.test", on: db) == "kept")
                    }
                    try await pooler.restart()
                }
                #expect(try await database.run { try $0.query("SELECT").count } == 1)
            }
        }
    }

    @Test func `notifications come over the direct URL, and a listener without one is told that it is deaf`()
        async throws
    {
        try await Database.pooled(sessions: 2) { _, url in
            var options = Database.Options(size: 1)
            options.directURL = try Database.testURL
            let database = Database(url: url, options: options)
            let heard = try await heard(on: ["news"], in: database) {
                try await database.run { _ = try $0.query("NOTIFY news, 'one'") }
            }
            #expect(heard == ["news one"])
            try await with(url) { deaf in
                var hearings = deaf.listen(on: ["news"]).makeAsyncIterator()
                #expect(await hearings.next() == .deaf)
            }
            #expect(try await Database.test.query("SELECT FROM pg_listening_channels()").isEmpty)
            await database.close()
        }
    }

    @Test func `while the direct URL can't be reached, the kept connection leads through the pooler`() async throws {
        try await Database.pooled(sessions: 2) { _, url in
            // The socket's folder, under a name that does not exist yet.
            let folder = NSTemporaryDirectory() + "direct-\(UUID().uuidString)"
            let socket = try #require(Database.testURL.firstMatch(of: /host=([^&]+)/)?.1)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var options = Database.Options(size: 1)
            options.directURL = try Database.testURL.replacing(socket, with: folder)
            let pool = Database(url: url, options: options)
            let kept = KeptConnection(beside: pool, waitLimit: .seconds(2), detourLimit: .milliseconds(20))
            let (hearings, hear) = AsyncStream.makeStream(of: Hearing.self)
            let acts = Locked(0)
            let keeping = Task {
                while !Task.isCancelled {
                    try? await kept.keep(listeningTo: ["news"], every: .milliseconds(1), hear: { hear.yield($0) }) {
                        try $0.query("SELECT")
                        acts.withLock { $0 += 1 }
                    }
                }
            }
            var heard = hearings.makeAsyncIterator()
            #expect(await heard.next() == .deaf)
            try await pollUntil { acts.withLock { $0 } > 1 }
            try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: String(socket))
            while let hearing = await heard.next(), hearing != .listening {}
            keeping.cancel()
            await keeping.value
            await kept.close()
            await pool.close()
        }
    }

    @Test func `a script and an index that is built concurrently run through a pooler`() async throws {
        try await Database.pooled(sessions: 2) { _, url in
            try await with(url) { database in
                try await database.transaction { try $0.run(script: "CREATE TABLE things (one integer)") }
                try await database.run { try $0.run(script: "CREATE INDEX CONCURRENTLY ON things (one)") }
            }
        }
    }

    /// Needs PgBouncer 1.21 or later: `PGBOUNCER=/path/to/pgbouncer`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PGBOUNCER"] != nil))
    func `statements are prepared through a pooler that tracks them`() async throws {
        try await Database.pooled(sessions: 1, tracks: 0) { _, url in
            try await with(url) { database throws in #expect(try await kind(of: database) == "pooled") }
        }
        try await Database.pooled(sessions: 1, tracks: 100) { _, url in
            try await with(url) { ada in
                try await with(url) { bob in
                    for database in [ada, bob, ada, bob] {
                        #expect(try await kind(of: database) == "pooled, prepares")
                        try await database.run { _ = try $0.query("SELECT \(1)::bigint AS one") }
                    }
                    let own: Int = try await ada.run { db throws in
                        try db.query(
                            "SELECT count(*) AS own FROM pg_prepared_statements WHERE statement LIKE '%::bigint AS one'"
                        )[0].read("own")
                    }
                    #expect(own == 1)
                    try await ada.run { db throws in
                        try db.run(script: "CREATE TABLE things AS SELECT 1 AS one")
                        #expect(try count("SELECT * FROM things", on: db) == 1)
                        try db.run(script: "ALTER TABLE things ADD two integer")
                        #expect(try count("SELECT * FROM things", on: db) == 1)
                    }
                    #expect(try await kind(of: ada) == "pooled")
                }
            }
        }
    }
}
