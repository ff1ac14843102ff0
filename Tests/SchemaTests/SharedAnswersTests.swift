import DatabaseTesting
import Postgres
import Testing

/// The API's role tries to change others' answers, and to find the owner of a token.
@Suite(.database)
struct SharedAnswersTests {
    /// Makes a question of each kind, and Ada's pin.
    private func fill() async throws -> (ada: Int, bob: Int) {
        try await Database.test.run { db throws in
            try db.run(
                script: """
                    INSERT INTO accounts (name) VALUES ('ada'), ('bob');
                    INSERT INTO geocodes (hash, street, city, region, postcode, country, status, reason)
                    SELECT sha256(status::bytea), '', status, '', '', '', status::geocode_status, 'because'
                    FROM unnest('{waiting,not_found,failed,forgotten}'::text[]) AS status;
                    INSERT INTO geocodes (
                        hash, street, city, region, postcode, country, status, latitude, longitude, precision, placemark,
                        provider, confidence)
                    VALUES (sha256('located'), '', 'x', '', '', '', 'located', 1, 2, 'rooftop', '{"a": 1}', 'p', 1);
                    INSERT INTO geocodes (
                        hash, street, city, region, postcode, country, status, latitude, longitude, precision, placemark,
                        provider, account, pinned_at)
                    SELECT sha256('pin'), '', 'x', '', '', '', 'located', 3, 4, 'rooftop', '{}', 'contact', id, now()
                    FROM accounts WHERE name = 'ada'
                    """)
            let ids: [Int] = try db.query("SELECT id FROM accounts ORDER BY name").map { try $0.read("id") }
            return (ids[0], ids[1])
        }
    }

    private func api<Value: Sendable>(
        _ account: Int?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        let api = try Database.test(as: "waypost_api")
        defer { Task { await api.close() } }
        return try await api.run { db throws in
            if let account { try db.set("waypost.account", to: "\(account)") }
            return try body(db)
        }
    }

    private func everything() async throws -> [String] {
        try await Database.test.query("SELECT t::text AS row FROM geocodes AS t ORDER BY id").map { try $0.read("row") }
    }

    private static func copy(movedBy change: Double) -> SQL {
        "INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision, placemark, provider, is_weak, shared_from) SELECT sha256('copy'), '', 'y', '', '', '', status, latitude + \(change)::double precision, longitude, precision, placemark, provider, is_weak, id FROM geocodes WHERE hash = sha256('located')"
    }

    @Test func `without an account, the API's role can't read or write answers`() async throws {
        _ = try await fill()
        let before = try await everything()
        for account in [nil, 0, -1] {
            try await api(account) { db throws in
                #expect(try rows("SELECT FROM geocodes", on: db).isEmpty)
                for sql: SQL in [
                    "UPDATE geocodes SET latitude = 9, longitude = 9", "UPDATE geocodes SET job = 9",
                    "SELECT FROM geocodes FOR UPDATE",
                ] {
                    #expect(try rows(sql, on: db).affected == 0, "\(sql.text)")
                }
                for sql: SQL in [
                    "INSERT INTO geocodes (hash, street, city, region, postcode, country) VALUES (sha256('new'), '', 'x', '', '', '')",
                    "INSERT INTO geocodes (hash, street, city, region, postcode, country) VALUES (sha256('located'), '', 'x', '', '', '') ON CONFLICT (hash) DO UPDATE SET latitude = 9",
                ] {
                    let error = #expect(throws: DatabaseError.self, "\(sql.text)") { try rows(sql, on: db) }
                    #expect(error?.sqlState == "42501", "\(sql.text)")
                }
            }
        }
        #expect(try await everything() == before)
    }

    @Test func `no account can set the answer that others see`() async throws {
        let (_, bob) = try await fill()
        let before = try await everything()
        try await api(bob) { db throws in
            // An answered question can't be changed.
            for sql: SQL in [
                "UPDATE geocodes SET latitude = 9 WHERE hash = sha256('located')",
                "UPDATE geocodes SET job = 9 WHERE hash = sha256('located')",
                "UPDATE geocodes SET latitude = 9 WHERE hash = sha256('pin')",
                "SELECT FROM geocodes WHERE status = 'located' FOR UPDATE",
            ] {
                #expect(try rows(sql, on: db).affected == 0, "\(sql.text)")
            }
            let ids: [Int] = try db.query("SELECT id FROM geocodes WHERE status = 'located'").map { try $0.read("id") }
            #expect(ids.count == 1)
            #expect(
                try db.query("SELECT ask_again(\(ids), 1, \(ids.map { _ in 0 })::integer[]) AS n")[0].read(
                    "n", as: Int.self) == 0)
            for sql: SQL in [
                "UPDATE geocodes SET latitude = 9, longitude = 9 WHERE hash = sha256('waiting')",
                "UPDATE geocodes SET pinned_at = now() WHERE hash = sha256('waiting')",
                "UPDATE geocodes SET job = 9 WHERE hash = sha256('not_found')",
                "UPDATE geocodes SET geocoded_at = now() WHERE hash = sha256('forgotten')",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision, placemark, provider) VALUES (sha256('new'), '', 'x', '', '', '', 'located', 9, 9, 'rooftop', '{}', 'p')",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, latitude, longitude) VALUES (sha256('new'), '', 'x', '', '', '', 9, 9)",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, candidates) VALUES (sha256('new'), '', 'x', '', '', '', '[]')",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, status) VALUES (sha256('new'), '', 'x', '', '', '', 'not_found')",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country, pinned_at) VALUES (sha256('new'), '', 'x', '', '', '', now())",
                "INSERT INTO geocodes (hash, street, city, region, postcode, country) VALUES (sha256('located'), '', 'x', '', '', '') ON CONFLICT (hash) DO UPDATE SET latitude = 9",
                Self.copy(movedBy: 1),
            ] {
                let error = #expect(throws: DatabaseError.self, "\(sql.text)") { try rows(sql, on: db) }
                #expect(error?.sqlState == "42501", "\(sql.text)")
            }
        }
        #expect(try await everything() == before)
    }

    @Test func `a person's answer, or one with other terms, can't be copied to another question`() async throws {
        let (_, bob) = try await fill()
        // The first two are answers with other terms, not decisions.
        for decided in [
            "is_lent = true", "is_lent = false, expires_at = now()", "expires_at = NULL, pinned_at = now()",
        ] {
            try await Database.test.run(script: "UPDATE geocodes SET \(decided) WHERE hash = sha256('located')")
            try await api(bob) { db throws in
                let error = #expect(throws: DatabaseError.self, "\(decided)") {
                    try rows(Self.copy(movedBy: 0), on: db)
                }
                #expect(error?.sqlState == "42501")
            }
        }
    }

    @Test func `an account may ask, ask again, share an existing answer, and keep its pins`() async throws {
        let (ada, _) = try await fill()
        try await api(ada) { db throws in
            for sql: SQL in [
                "INSERT INTO geocodes (hash, street, city, region, postcode, country) VALUES (sha256('new'), '', 'x', '', '', '')",
                "UPDATE geocodes SET job = 9, follows = false WHERE hash = sha256('waiting')",
                "UPDATE geocodes SET latitude = 9, pinned_at = now() WHERE hash = sha256('pin')",
                Self.copy(movedBy: 0),
            ] {
                #expect(try rows(sql, on: db).affected == 1, "\(sql.text)")
            }
            let ended: [Int] = try db.query(
                "SELECT id FROM geocodes WHERE status IN ('not_found', 'failed', 'forgotten') FOR UPDATE"
            ).map { try $0.read("id") }
            #expect(ended.count == 3)
            #expect(
                try db.query("SELECT ask_again(\(ended), 1, \(ended.map { _ in 0 })::integer[]) AS n")[0].read(
                    "n", as: Int.self) == 3)
        }
    }

    @Test func `a token's row is hidden without its secret`() async throws {
        _ = try await fill()
        let id: Int = try await Database.test.query(
            """
            INSERT INTO tokens (account, name, hash, scopes) SELECT id, 't', sha256('secret'), '{read}'
            FROM accounts WHERE name = 'ada' RETURNING id
            """)[0].read("id")
        try await api(nil) { db throws in
            for hash in [Bytes([UInt8](repeating: 7, count: 32)), Bytes([]), nil] {
                #expect(try rows("SELECT FROM bearer_of_token(\(id)::integer, \(hash)::bytea)", on: db).isEmpty)
                try db.query("SELECT note_use_of_token(\(id)::integer, \(hash)::bytea)")
            }
            let known = try rows("SELECT * FROM bearer_of_token(\(id)::integer, sha256('secret'))", on: db)
            #expect(known.count == 1)
            #expect(try known.first?.read("was_used_lately", as: Bool.self) == false)
            try db.query("SELECT note_use_of_token(\(id)::integer, sha256('secret'))")
            let used = try db.query("SELECT was_used_lately FROM bearer_of_token(\(id)::integer, sha256('secret'))")
            #expect(try used[0].read("was_used_lately"))
        }
    }

    @Test func `a worker deletes only locations whose removal the sink has stored`() async throws {
        let (ada, _) = try await fill()
        try await Database.test.run { db throws in
            try db.query("INSERT INTO trackers (account, user_id) VALUES (\(ada)::integer, 'u')")
            for (id, removed) in [("a", true), ("b", false)] {
                try db.query(
                    """
                    INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time, uploaded, removed)
                    SELECT id, account, now(), \(id), 1, 1, 0, true, \(removed) FROM trackers
                    """)
            }
        }
        let worker = try Database.test(as: "waypost_worker")
        try await worker.run { db throws in
            // Naming an account does not help the worker either.
            try db.set("waypost.account", to: "\(ada)")
            #expect(try rows("DELETE FROM pending_locations", on: db).affected == 1)
            #expect(try db.query("SELECT id FROM pending_locations")[0].read("id", as: String.self) == "b")
        }
        await worker.close()
    }
}
