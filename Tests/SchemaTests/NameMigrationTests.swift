import DatabaseTesting
import Postgres
import Schema
import Testing

/// A database from before names had the form NFC.
@Suite(.database)
struct NameMigrationTests {
    /// Each text is `José`: in NFC, and in NFD.
    private let composed = "Jos\u{E9}"
    private let decomposed = "Jose\u{301}"

    private func upgrade(_ fill: @Sendable (isolated Connection) throws -> Void) async throws {
        let earlier = SchemaScripts(migrations: Schema.scripts.migrations.filter { $0.number < 22 })
        try await Database.test.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        try await Database.test.migrate(earlier)
        try await Database.test.run(fill)
        _ = try await Schema.prepare(Database.test)
    }

    private func texts(_ query: SQL) async throws -> [String] {
        try await Database.test.query(query).map { try $0.read("text") }
    }

    private func isExactly(_ texts: [String], _ expected: [String]) -> Bool {
        texts.map { Array($0.utf8) } == expected.map { Array($0.utf8) }
    }

    @Test func `equal names get their id behind them, and nothing is lost or merged`() async throws {
        try await upgrade { [composed, decomposed] db in
            for name in [decomposed, composed] {
                try db.query("INSERT INTO accounts (name) VALUES (\(name))")
                try db.query("INSERT INTO trackers (account, user_id) VALUES (1, \(name))")
                try db.query("INSERT INTO friends (account, source_key, name, feed) VALUES (1, \(name), '', \(name))")
                try db.query(
                    "INSERT INTO imports (account, feed, fingerprint, is_complete) VALUES (1, \(name), '', true)")
                for (user, secret) in [(name, "a"), (name + " 2", "b")] {
                    try db.query(
                        """
                        INSERT INTO tokens (account, name, hash, scopes, user_id)
                        VALUES (1, 'p', sha256((\(user + secret))::text::bytea), '{track}', \(user))
                        """)
                }
            }
        }
        let name = composed
        let accounts = try await texts("SELECT name AS text FROM accounts ORDER BY id")
        #expect(isExactly(Array(accounts.suffix(2)), [name + " [\(accounts.count - 1)]", name]), "\(accounts)")
        #expect(isExactly(try await texts("SELECT user_id AS text FROM trackers ORDER BY id"), [name + " [1]", name]))
        #expect(
            isExactly(try await texts("SELECT source_key AS text FROM friends ORDER BY id"), [name + " [1]", name]))
        #expect(isExactly(try await texts("SELECT DISTINCT feed AS text FROM friends"), [name]))
        #expect(isExactly(try await texts("SELECT feed AS text FROM imports WHERE finished_at IS NULL"), [name]))
        #expect(try await texts("SELECT feed AS text FROM imports").count == 2)
        // A token stays with its tracker. One whose user has no tracker does not become good for another user.
        #expect(
            isExactly(
                try await texts("SELECT user_id AS text FROM tokens ORDER BY id"),
                [name + " [1]", name + " 2 [token 2]", name, name + " 2"]))
        #expect(
            try await texts("SELECT DISTINCT verb AS text FROM audit_log ORDER BY verb")
                == ["accounts.rename", "friends.rename", "tokens.rename", "trackers.rename"])
    }

    @Test func `a name without an equal one only gets its form, however long that is`() async throws {
        // This letter has no composed form, so its form NFC is twice as long.
        let long = String(repeating: "\u{958}", count: 200)
        try await upgrade { [decomposed] db in
            try db.query("INSERT INTO accounts (name) VALUES ('default')")
            for name in [decomposed, long, "Kim\u{301}", "\u{212A}im"] {
                try db.query("INSERT INTO trackers (account, user_id) VALUES (1, \(name))")
            }
        }
        let users = try await texts("SELECT user_id AS text FROM trackers ORDER BY id")
        #expect(isExactly([users[0], users[3]], [composed, "Kim"]))
        #expect(users[1].unicodeScalars.count < 200 && users[1].hasSuffix(" [2]"))
        #expect(try await texts("SELECT target AS text FROM audit_log") == ["2"])
    }

    @Test(arguments: [
        "INSERT INTO accounts (name) VALUES ('Jose\u{301}')",
        "INSERT INTO trackers (account, user_id) VALUES (1, '\u{212A}im')",
        "INSERT INTO friends (account, source_key, name) VALUES (1, 'Jose\u{301}', '')",
        "INSERT INTO friends (account, source_key, name, feed) VALUES (1, '1', '', 'Jose\u{301}')",
        "INSERT INTO imports (account, feed, fingerprint, is_complete) VALUES (1, 'Jose\u{301}', '', true)",
    ])
    func `another program can't store a name in another form`(_ statement: String) async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run(script: statement)
        }
        #expect(error?.sqlState == "23514")
        #expect(error?.message.contains("in_the_form_nfc") == true)
    }
}
