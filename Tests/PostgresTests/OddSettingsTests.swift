import DatabaseTesting
import Postgres
import Testing

/// A database whose settings are not ours. An operator may set them for the database or for a role, for the sake of other
/// programs. `ServeTests` runs a cluster on all of them.
@Suite(.database)
struct OddSettingsTests {
    private static let odd = [
        ("array_nulls", "off"), ("bytea_output", "escape"), ("client_min_messages", "error"), ("datestyle", "German"),
        ("datestyle", "SQL, DMY"), ("default_transaction_isolation", "serializable"),
        ("default_transaction_isolation", "repeatable read"), ("extra_float_digits", "-15"),
        ("idle_session_timeout", "300ms"), ("intervalstyle", "sql_standard"), ("jit", "on"),
        ("quote_all_identifiers", "on"), ("row_security", "off"), ("standard_conforming_strings", "off"),
        ("timezone", "America/St_Johns"), ("transform_null_equals", "on"),
        ("idle_in_transaction_session_timeout", "1s"),
    ]

    /// Runs `body` with new connections to the test's database, direct or through a pooler, after `name` was set.
    private func with(
        _ name: String, _ value: String, pooled: Bool, role: String? = nil, _ body: (Database) async throws -> Void
    ) async throws {
        try await Database.test.run { db in
            let database: String = try db.query("SELECT current_database() AS name")[0].read("name")
            try db.run(
                script: "ALTER DATABASE \"\(database)\" SET \(name) = \(value == "SQL, DMY" ? value : "'\(value)'")")
        }
        func run(_ url: String) async throws {
            var options = Database.Options(size: 2)
            options.role = role
            let database = Database(url: url, options: options)
            try await body(database)
            await database.close()
        }
        if pooled {
            try await Database.pooled(sessions: 2) { _, url in try await run(url) }
        } else {
            try await run(Database.testURL)
        }
    }

    @Test(arguments: odd, [false, true])
    func `values are written and read as with the usual settings`(_ setting: (String, String), pooled: Bool)
        async throws
    {
        try await with(setting.0, setting.1, pooled: pooled) { database in
            for inTransaction in [false, true] {
                try await database.run { db throws in
                    try inTransaction ? db.transaction { try check($0) } : check(db)
                }
            }
        }
    }

    private func check(_ db: isolated Connection) throws {
        let bytes = Bytes([0, 1, 92, 39, 255])
        let texts = [#"a\b"#, "NULL", "é'\"{}", ""]
        let row = try db.query(
            """
            SELECT \(bytes) AS bytes, \([bytes]) AS list, \([1, nil] as [Int?]) AS numbers, \(texts) AS texts,
                   \(60.170833333333334) AS number, \([0.1 + 0.2])::double precision[] AS numbers_too,
                   'a\\d' ~ '^a\\\\d$' AS is_pattern, extract(epoch FROM \(Duration.seconds(-90_061))::interval) AS pause,
                   extract(epoch FROM '2026-03-29 12:00Z'::timestamptz + interval '1 day') AS tomorrow,
                   (NULL::integer = NULL) IS NULL AS is_unknown, quote_ident('a') AS name,
                   current_setting('transaction_isolation') AS isolation
            """)[0]
        #expect(try row.read("bytes", as: Bytes.self) == bytes)
        #expect(try row.read("list", as: [Bytes].self) == [bytes])
        #expect(try row.read("numbers", as: [Int?].self) == [1, nil])
        #expect(try row.read("texts", as: [String].self) == texts)
        #expect(try row.read("number") == 60.170833333333334)
        #expect(try row.read("numbers_too", as: [Double].self) == [0.1 + 0.2])
        #expect(try row.read("is_pattern") == true)
        #expect(try row.read("pause") == Duration.seconds(-90_061))
        #expect(try row.read("tomorrow") == 1_774_872_000.0)
        #expect(try row.read("is_unknown") == true)
        #expect(try row.read("name") == "a")
        #expect(try row.read("isolation") == "read committed")
    }

    @Test(arguments: [false, true])
    func `a session that is idle stays, and no warning is suppressed`(pooled: Bool) async throws {
        try await with("idle_session_timeout", "300ms", pooled: pooled) { database in
            try await database.run { db throws in
                let limit: String = try db.query("SELECT current_setting('idle_session_timeout') AS value")[0].read(
                    "value")
                #expect(limit == "0")
            }
        }
        try await with("client_min_messages", "error", pooled: pooled) { database in
            try await database.run { db throws in
                let level: String = try db.query("SELECT current_setting('client_min_messages') AS value")[0].read(
                    "value")
                #expect(level == "notice")
            }
        }
    }

    @Test(arguments: [false, true])
    func `row-level security filters rows and refuses nothing`(pooled: Bool) async throws {
        try await with("row_security", "off", pooled: pooled, role: "waypost_api") { database in
            try await database.run { db throws in
                try db.set("waypost.account", to: "1")
                #expect(try db.query("SELECT FROM friends").isEmpty)
            }
        }
    }

    /// Two transactions read a row before either changes it. With a snapshot the second one would fail.
    @Test(arguments: [false, true])
    func `a statement that waited for a row sees its new state`(pooled: Bool) async throws {
        try await with("default_transaction_isolation", "serializable", pooled: pooled) { database in
            try await Database.test.run(
                script: "CREATE TABLE counters (number bigint); INSERT INTO counters VALUES (0)")
            let both = Rendezvous(of: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        try await database.transaction { db throws in
                            try db.query("SELECT number FROM counters")
                            both.arriveAndWait()
                            try db.query("UPDATE counters SET number = number + 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.run { try $0.query("SELECT number FROM counters")[0].read("number") } == 2)
        }
    }
}
