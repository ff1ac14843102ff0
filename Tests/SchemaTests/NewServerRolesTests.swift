import DatabaseTesting
import Glibc
import Postgres
import Schema
import Testing

/// A server without Waypost's roles.
struct NewServerRolesTests {
    @Test func `roles are created once by several concurrent programs`() async throws {
        let server = try await PrivateServer.start(in: "/tmp/waypost-roles-\(getpid())", .temporary)
        let maintenance = Database(url: server.url(of: "postgres"), options: .init(size: 1))
        for name in ["two", "three"] { try await maintenance.run { try $0.run(script: "CREATE DATABASE \(name)") } }
        await maintenance.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["two", "two", "three", "three"] {
                let database = Database(url: server.url(of: name), options: .init(size: 1))
                group.addTask {
                    let roles = try await Schema.prepare(database).roles
                    #expect(roles.shortfall == nil)
                    await database.close()
                }
            }
            try await group.waitForAll()
        }
        await server.stop()
    }

    private static let all = ["waypost_worker", "waypost_api", "waypost_admin", "waypost_report"]

    @Test func `an ordinary owner works without roles, and an administrator adds them by one statement`() async throws {
        let server = try await PrivateServer.start(in: "/tmp/waypost-owner-\(getpid())", .temporary)
        let maintenance = Database(url: server.url(of: "postgres"), options: .init(size: 1))
        try await maintenance.run { try $0.run(script: "CREATE ROLE \"plain Jane\" LOGIN") }
        try await maintenance.run { try $0.run(script: "CREATE DATABASE one OWNER \"plain Jane\"") }
        let plain = Database(
            url: server.url(of: "one").replacing("user=waypost", with: "user=plain%20Jane"), options: .init(size: 1))

        // Like a managed PostgreSQL: no role exists, and none may be created.
        let without = try await Schema.prepare(plain).roles
        #expect(without.missing == Self.all)
        #expect(without.role("waypost_api") == nil && without.role("waypost_admin") == nil)
        #expect(try await plain.run { try Schema.roleStanding(on: $0).isFenced })
        #expect(try await Schema.prepare(plain).changes.isEmpty)

        // The roles were created but not granted.
        for role in Self.all { try await maintenance.run { try $0.run(script: "CREATE ROLE \(role) NOLOGIN") } }
        let refused = try await Schema.prepare(plain).roles
        #expect(refused.missing.isEmpty && refused.refused == Self.all.dropLast() && refused.worksAsOwner)
        #expect(refused.statement == #"GRANT waypost_worker, waypost_api, waypost_admin TO "plain Jane""#)

        let owned = Database(url: server.url(of: "one"), options: .init(size: 1))
        try await owned.run { try $0.run(script: "DROP OWNED BY \(Self.all.joined(separator: ", "))") }
        await owned.close()
        for role in Self.all { try await maintenance.run { try $0.run(script: "DROP ROLE \(role)") } }
        try await maintenance.run { try $0.run(script: without.statement) }
        let with = try await Schema.prepare(plain).roles
        #expect(with.shortfall == nil && with.role("waypost_api") == "waypost_api")
        #expect(try await !plain.run { try Schema.roleStanding(on: $0).isFenced })
        await plain.close()
        await maintenance.close()
        await server.stop()
    }

    @Test func `an owner's session with an account sees only that account`() async throws {
        let server = try await PrivateServer.start(in: "/tmp/waypost-fence-\(getpid())", .temporary)
        let maintenance = Database(url: server.url(of: "postgres"), options: .init(size: 1))
        try await maintenance.run { try $0.run(script: "CREATE ROLE plain LOGIN") }
        try await maintenance.run { try $0.run(script: "CREATE DATABASE one OWNER plain") }
        await maintenance.close()
        let plain = Database(
            url: server.url(of: "one").replacing("user=waypost", with: "user=plain"), options: .init(size: 1))
        _ = try await Schema.prepare(plain)
        try await plain.run { db throws in
            try db.run(
                script: """
                    INSERT INTO accounts (name) VALUES ('ada'), ('bob');
                    INSERT INTO friends (account, source_key, name) SELECT id, 'k', name FROM accounts;
                    INSERT INTO addresses (friend, position, city) SELECT id, 1, name FROM friends;
                    INSERT INTO tokens (account, name, hash, scopes) SELECT id, name, sha256(name::bytea), '{read}' FROM accounts;
                    INSERT INTO geocodes (
                        hash, street, city, region, postcode, country, status, latitude, longitude, precision, provider, account)
                    SELECT sha256(name::bytea), '', name, '', '', '', 'located', 1, 2, 'rooftop', 'contact', id FROM accounts
                    """)
            let tables = ["accounts", "friends", "addresses", "tokens", "geocodes", "address_tallies"]
            for table in tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).count == 2) }
            try db.query(
                "SELECT set_config('waypost.account', (SELECT id::text FROM accounts WHERE name = 'ada'), false)")
            for table in tables { #expect(try rows("SELECT FROM \(identifier: table)", on: db).count == 1, "\(table)") }
            // The functions with the owner's rights read what they need, and leave the session's account unchanged.
            #expect(
                try rows(
                    "SELECT FROM tokens, bearer_of_token(2, sha256('bob')) AS bearer WHERE account_name = 'bob'", on: db
                )
                .count == 1)
            #expect(try rows("UPDATE friends SET name = 'x'", on: db).affected == 1)
            #expect(throws: DatabaseError.self) {
                try rows("INSERT INTO friends (account, source_key, name) VALUES (2, 'new', 'n')", on: db)
            }
        }
        await plain.close()
        await server.stop()
    }
}
