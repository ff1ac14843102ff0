import DatabaseTesting
import Postgres
import Testing

/// Plain SQL of the API's role, in the name of one account, against the rows of another.
@Suite(.database)
struct RowSecurityTests {
    /// Two accounts, each with a friend, an address, a pin and a kept answer; returns them.
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
            }
            let ids: [Int] = try db.query("SELECT id FROM accounts ORDER BY name").map { try $0.read("id") }
            return (ids[0], ids[1])
        }
    }

    private static let tables = [
        "accounts", "friends", "addresses", "idempotency_keys", "imports", "import_batches", "geocodes",
    ]

    @Test func `a session without an account sees nothing, and can add nothing`() async throws {
        let (ada, _) = try await fill()
        let api = try Database.test(as: "waypost_api")
        try await api.run { db throws in
            for table in Self.tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).isEmpty) }
            let error = #expect(throws: DatabaseError.self) {
                try rows("INSERT INTO friends (account, source_key, name) VALUES (\(ada), 'new', 'n')", on: db)
            }
            #expect(error?.message.contains("row-level security") == true)
            // As a setting is after the transaction that set it.
            try db.query("SET waypost.account = ''")
            for table in Self.tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).isEmpty) }
        }
        await api.close()
    }

    @Test func `an account sees its own rows and no others, whatever it asks for`() async throws {
        let (ada, bob) = try await fill()
        let api = try Database.test(as: "waypost_api")
        try await api.run { db throws in
            try db.keep("waypost.account", at: "\(ada)")
            for table in Self.tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).count == 1) }
            for sql: SQL in [
                "SELECT FROM friends WHERE account = \(bob)", "SELECT FROM accounts WHERE id = \(bob)",
                "SELECT FROM addresses WHERE city = 'bob'", "SELECT FROM geocodes WHERE hash = sha256('bob')",
                "SELECT FROM friends WHERE name = 'bob' OR account = \(bob)",
            ] {
                #expect(try rows(sql, on: db).isEmpty, "\(sql.text)")
            }
        }
        await api.close()
    }

    @Test func `an account can't change, delete, take or give away rows`() async throws {
        let (ada, bob) = try await fill()
        let before = try await everything()
        let api = try Database.test(as: "waypost_api")
        try await api.run { db throws in
            try db.keep("waypost.account", at: "\(ada)")
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
                "INSERT INTO import_batches (import, first, contacts, added, changed, unchanged, addresses, questions) SELECT id, 1, 1, 1, 0, 0, 1, 1 FROM imports WHERE account = \(bob)",
            ] {
                #expect(try rows(sql, on: db).affected == 0, "\(sql.text)")
            }
            let hers: Int = try db.query("SELECT id FROM friends")[0].read("id")
            let herImport: Int = try db.query("SELECT id FROM imports")[0].read("id")
            for sql: SQL in [
                "UPDATE friends SET account = \(bob)",
                "INSERT INTO friends (account, source_key, name) VALUES (\(bob), 'new', 'n')",
                "INSERT INTO friends (account, source_key, name) VALUES (\(bob), 'k', 'n') ON CONFLICT (account, source_key) DO UPDATE SET name = 'x'",
                "INSERT INTO addresses (friend, position, city) VALUES (\(hers + 1), 2, 'x')",
                "UPDATE addresses SET friend = \(hers + 1)",
                "INSERT INTO idempotency_keys (account, key, request_hash, status, headers) VALUES (\(bob), 'n', sha256('k'), 200, '{}')",
                // Whether the row is there, or such a key, is not told either: the rule comes before any other check.
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
                // A shadow of a question that asks something else would change its answer.
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, shadow_of) VALUES (sha256('x'), '', 'x', '', '', '', 1)",
            ] {
                let error = #expect(throws: DatabaseError.self, "\(sql.text)") { try rows(sql, on: db) }
                #expect(error?.sqlState == "42501", "\(sql.text)")
            }
        }
        await api.close()
        #expect(try await everything() == before)
    }

    @Test(arguments: ["waypost_worker", "waypost_report"]) func `all pins are seen by who works for all`(
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
