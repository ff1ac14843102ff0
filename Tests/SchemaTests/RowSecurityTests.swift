import DatabaseTesting
import Postgres
import Testing

/// Plain SQL under the API's role and one account, against the rows of another account.
@Suite(.database)
struct RowSecurityTests {
    /// Makes two accounts, each with a row in each table. Returns them.
    private func fill() async throws -> (ada: Int, bob: Int) {
        try await Database.test.run { db throws in
            for name in ["ada", "bob"] {
                try db.query("INSERT INTO accounts (name) VALUES (\(name))")
                try db.query(
                    "INSERT INTO friends (account, source_key, name) SELECT id, 'k', name FROM accounts WHERE name = \(name)"
                )
                try db.query(
                    "INSERT INTO addresses (friend, position, city) SELECT id, 1, name FROM friends WHERE name = \(name)"
                )
                try db.query(
                    """
                    INSERT INTO idempotency_keys (account, key, request_hash, status, headers)
                    SELECT id, 'k', sha256('k'), 200, '{}' FROM accounts WHERE name = \(name)
                    """)
                try db.query(
                    """
                    INSERT INTO file_runs (account, digest, name, settings, file, contacts, refused, pinned, hashes)
                    SELECT id, sha256('k'), 'f.csv', '{}', '', 1, 0, 0, '{}' FROM accounts WHERE name = \(name)
                    """)
                try db.query(
                    """
                    INSERT INTO imports (account, feed, fingerprint, is_complete)
                    SELECT id, 'f', name, true FROM accounts WHERE name = \(name)
                    """)
                try db.query(
                    """
                    INSERT INTO import_batches (import, first, contacts, added, changed, unchanged, addresses, questions)
                    SELECT id, 0, 1, 1, 0, 0, 1, 1 FROM imports WHERE fingerprint = \(name)
                    """)
                try db.query(
                    """
                    INSERT INTO geocodes (
                        hash, street, city, region, postcode, country, status, latitude, longitude, precision, provider, account)
                    SELECT sha256(name::bytea), '', name, '', '', '', 'located', 1, 2, 'rooftop', 'contact', id
                    FROM accounts WHERE name = \(name)
                    """)
                try fillTrackers(of: name, on: db)
            }
            let ids: [Int] = try db.query("SELECT id FROM accounts ORDER BY name").map { try $0.read("id") }
            return (ids[0], ids[1])
        }
    }

    private func fillTrackers(of name: String, on db: isolated Connection) throws {
        try db.query("INSERT INTO lanes (name, kind) VALUES ('upload:' || \(name), 'upload')")
        try db.query(
            """
            INSERT INTO sinks (account, name, kind, lane)
            SELECT accounts.id, accounts.name, 'file', lanes.id
            FROM accounts JOIN lanes ON lanes.name = 'upload:' || accounts.name
            WHERE accounts.name = \(name)
            """)
        try db.query(
            """
            INSERT INTO trackers (account, user_id, sink)
            SELECT account, name, id FROM sinks WHERE name = \(name)
            """)
        try db.query(
            """
            INSERT INTO fixes (tracker, account, at, id, lat, lng)
            SELECT id, account, now(), 'f', 1, 2 FROM trackers WHERE user_id = \(name)
            """)
        try db.query(
            """
            INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time)
            SELECT id, account, now(), 'f', 1, 2, 0 FROM trackers WHERE user_id = \(name)
            """)
        try db.query(
            """
            INSERT INTO sign_ins (account, sink, tracker, sealed, ends_at)
            SELECT account, sink, id, '', now() FROM trackers WHERE user_id = \(name)
            """)
        try db.query(
            """
            INSERT INTO refused_fixes (account, tracker, reason, count)
            SELECT account, id, 'too old', 1 FROM trackers WHERE user_id = \(name)
            """)
    }

    private static let tables = [
        "accounts", "friends", "addresses", "idempotency_keys", "imports", "import_batches", "geocodes", "trackers",
        "fixes", "refused_fixes", "pending_locations", "sinks", "sign_ins", "file_runs",
    ]

    @Test func `every table with an account policy is in this test`() async throws {
        let withPolicy: [String] = try await Database.test.query(
            """
            SELECT DISTINCT polrelid::regclass::text AS name
            FROM pg_policy
            WHERE pg_get_expr(polqual, polrelid) LIKE '%current_account()%'
            """
        ).map { try $0.read("name") }
        // A tally has several rows. Only an administrator reads tokens and traffic: TokenRouteTests, TrafficTests.
        #expect(
            Set(withPolicy) == Set(Self.tables + ["address_tallies", "friend_tallies", "tokens", "gateway_minutes"]))
    }

    @Test func `a session without an account sees nothing and can add nothing`() async throws {
        let (ada, _) = try await fill()
        let api = try Database.test(as: "waypost_api")
        try await api.run { db throws in
            for table in Self.tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).isEmpty) }
            let error = #expect(throws: DatabaseError.self) {
                try rows("INSERT INTO friends (account, source_key, name) VALUES (\(ada), 'new', 'n')", on: db)
            }
            #expect(error?.message.contains("row-level security") == true)
            // The value of a setting after the transaction that set it.
            try db.query("SET waypost.account = ''")
            for table in Self.tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).isEmpty) }
        }
        await api.close()
    }

    @Test func `an account sees its own rows and no others, whatever the query`() async throws {
        let (ada, bob) = try await fill()
        let api = try Database.test(as: "waypost_api")
        try await api.run { db throws in
            try db.set("waypost.account", to: "\(ada)")
            for table in Self.tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).count == 1) }
            #expect(try !rows("SELECT FROM friend_tallies", on: db).isEmpty)
            #expect(try !rows("SELECT FROM address_tallies", on: db).isEmpty)
            for sql: SQL in [
                "SELECT FROM friends WHERE account = \(bob)", "SELECT FROM accounts WHERE id = \(bob)",
                "SELECT FROM addresses WHERE city = 'bob'", "SELECT FROM geocodes WHERE hash = sha256('bob')",
                "SELECT FROM friends WHERE name = 'bob' OR account = \(bob)",
                "SELECT FROM trackers WHERE user_id = 'bob'", "SELECT FROM sinks WHERE name = 'bob'",
                "SELECT FROM fixes WHERE account = \(bob)", "SELECT FROM pending_locations WHERE account = \(bob)",
                "SELECT FROM sign_ins WHERE account = \(bob)", "SELECT FROM address_tallies WHERE account = \(bob)",
                "SELECT FROM friend_tallies WHERE account = \(bob)",
            ] {
                #expect(try rows(sql, on: db).isEmpty, "\(sql.text)")
            }
        }
        await api.close()
    }

    @Test func `an account can't change, delete, take or give away rows of another`() async throws {
        let (ada, bob) = try await fill()
        let before = try await everything()
        let api = try Database.test(as: "waypost_api")
        try await api.run { db throws in
            try db.set("waypost.account", to: "\(ada)")
            for sql: SQL in [
                "UPDATE friends SET name = 'x' WHERE account = \(bob)", "DELETE FROM friends WHERE account = \(bob)",
                "UPDATE addresses SET city = 'x' WHERE city = 'bob'", "DELETE FROM addresses WHERE city = 'bob'",
                "UPDATE accounts SET has_pins = true WHERE id = \(bob)",
                "DELETE FROM idempotency_keys WHERE account = \(bob)",
                "UPDATE imports SET attempt = 9 WHERE fingerprint = 'bob'",
                "DELETE FROM imports WHERE account = \(bob)",
                "UPDATE import_batches SET contacts = 9 WHERE import = (SELECT max(id) + 1 FROM imports)",
                "DELETE FROM import_batches WHERE import IN (SELECT id + 1 FROM imports)",
                "SELECT FROM friends WHERE account = \(bob) FOR UPDATE",
                "UPDATE geocodes SET latitude = 3 WHERE hash = sha256('bob')",
                "UPDATE trackers SET radius = 9 WHERE account = \(bob)", "DELETE FROM trackers WHERE account = \(bob)",
                "UPDATE fixes SET lat = 3 WHERE account = \(bob)", "DELETE FROM fixes WHERE account = \(bob)",
                "UPDATE pending_locations SET lat = 3 WHERE account = \(bob)",
                "DELETE FROM pending_locations WHERE account = \(bob)",
                "UPDATE sign_ins SET number = 9 WHERE account = \(bob)", "DELETE FROM sign_ins WHERE account = \(bob)",
                "INSERT INTO import_batches (import, first, contacts, added, changed, unchanged, addresses, questions) SELECT id, 1, 1, 1, 0, 0, 1, 1 FROM imports WHERE account = \(bob)",
            ] {
                #expect(try rows(sql, on: db).affected == 0, "\(sql.text)")
            }
            let hers: Int = try db.query("SELECT id FROM friends")[0].read("id")
            let herImport: Int = try db.query("SELECT id FROM imports")[0].read("id")
            let herTracker: Int = try db.query("SELECT id FROM trackers")[0].read("id")
            let herSink: Int = try db.query("SELECT id FROM sinks")[0].read("id")
            for sql: SQL in [
                "UPDATE friends SET account = \(bob)",
                "INSERT INTO friends (account, source_key, name) VALUES (\(bob), 'new', 'n')",
                "INSERT INTO friends (account, source_key, name) VALUES (\(bob), 'k', 'n') ON CONFLICT (account, source_key) DO UPDATE SET name = 'x'",
                "INSERT INTO addresses (friend, position, city) VALUES (\(hers + 1), 2, 'x')",
                "UPDATE addresses SET friend = \(hers + 1)",
                "INSERT INTO idempotency_keys (account, key, request_hash, status, headers) VALUES (\(bob), 'n', sha256('k'), 200, '{}')",
                // The error does not reveal whether the row or such a key exists, because the policy comes before any
                // other check.
                "INSERT INTO friends (account, source_key, name) VALUES (\(bob + 99), 'k', 'n')",
                "INSERT INTO addresses (friend, position, city) VALUES (\(hers + 1), 1, 'x')",
                "INSERT INTO addresses (friend, position, city) VALUES (\(hers + 99), 1, 'x')",
                "INSERT INTO idempotency_keys (account, key, request_hash, status, headers) VALUES (\(bob), 'k', sha256('k'), 200, '{}')",
                "INSERT INTO imports (account, feed, fingerprint, is_complete) VALUES (\(bob), 'f', 'x', true)",
                "UPDATE imports SET account = \(bob)",
                "INSERT INTO import_batches (import, first, contacts, added, changed, unchanged, addresses, questions) VALUES (\(herImport + 1), 0, 1, 1, 0, 0, 1, 1)",
                "INSERT INTO import_batches (import, first, contacts, added, changed, unchanged, addresses, questions) VALUES (\(herImport + 99), 0, 1, 1, 0, 0, 1, 1)",
                "UPDATE import_batches SET import = \(herImport + 1)",
                "SELECT setval('friends_id_seq', 1)",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, account) VALUES (sha256('x'), '', 'x', '', '', '', \(bob))",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country) VALUES (sha256('bob'), '', 'x', '', '', '') ON CONFLICT (hash) DO UPDATE SET latitude = 3",
                "UPDATE geocodes SET account = NULL",
                "UPDATE trackers SET account = \(bob)", "UPDATE fixes SET account = \(bob)",
                "UPDATE pending_locations SET account = \(bob)", "UPDATE sign_ins SET account = \(bob)",
                "INSERT INTO trackers (account, user_id) VALUES (\(bob), 'new')",
                "INSERT INTO fixes (tracker, account, at, id, lat, lng) VALUES (\(herTracker + 1), \(bob), now(), 'n', 1, 2)",
                "INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time) VALUES (\(herTracker + 1), \(bob), now(), 'n', 1, 2, 0)",
                "INSERT INTO sign_ins (account, sink, sealed, ends_at) VALUES (\(bob), \(herSink + 1), '', now())",
                "UPDATE sinks SET name = 'x'", "INSERT INTO sinks (account, name) VALUES (\(bob), 'x')",
                // A shadow with another address would change the question's answer.
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, shadow_of) VALUES (sha256('x'), '', 'x', '', '', '', 1)",
            ] {
                let error = #expect(throws: DatabaseError.self, "\(sql.text)") { try rows(sql, on: db) }
                #expect(error?.sqlState == "42501", "\(sql.text)")
            }
        }
        await api.close()
        #expect(try await everything() == before)
    }

    @Test(arguments: ["waypost_worker", "waypost_report"]) func `a role that works for all accounts sees all pins`(
        role: String
    ) async throws {
        _ = try await fill()
        let database = try Database.test(as: role)
        try await database.run { db throws in #expect(try rows("SELECT FROM geocodes", on: db).count == 2) }
        await database.close()
    }

    /// All rows of all accounts, as the owner sees them.
    private func everything() async throws -> [String] {
        try await Database.test.run { db throws in
            try Self.tables.flatMap { table in
                try db.query("SELECT t::text AS row FROM \(identifier: table) AS t ORDER BY 1").map {
                    try $0.read("row", as: String.self)
                }
            }
        }
    }
}
