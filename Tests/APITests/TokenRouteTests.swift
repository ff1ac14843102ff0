import Access
import Contacts
import DatabaseTesting
import HTTP
import JSON
import Postgres
import Queue
import Testing

@testable import API

/// Tokens over the API: no token grants more than it has, or in another account, and a secret is shown once.
@Suite(.database)
struct TokenRouteTests {
    private func text(_ sql: SQL) async throws -> String {
        try await Database.test.query(sql).first?.readIfPresent("text") ?? "-"
    }

    /// A client whose token `steering` has only these scopes.
    private func steering(
        _ scopes: Set<AccessScope>, expires: Duration? = nil
    ) async throws -> APIClient {
        let client = try await APIClient.test()
        let made = try await Database.test.run { db in
            try TokenStore().create(
                account: ContactStore().openAccount(named: "default", on: db), name: "steering", scopes: scopes,
                expires: expires, on: db)
        }
        var own = APIClient(server: client.server, tokens: client.tokens.merging(["steering": made.text]) { $1 })
        own.token = "steering"
        return own
    }

    @Test func `a token is made for the caller's account with the given scopes, and is logged`() async throws {
        var client = try await APIClient.test()
        let made = try await client.send(
            .post, "/v1/tokens", #"{"name":"map","scopes":["read","locate"],"expires_seconds":3600}"#
        ).expect(201)
        #expect(made.headers["Cache-Control"] == "no-store")
        #expect(try made.at("account") == .text("default"))
        #expect(try made.at("scopes")?.list == [.text("read"), .text("locate")])
        #expect((3_500...3_600).contains(try made.at("good_for_seconds")?.number ?? 0))
        client.token = try made.at("token")?.text
        #expect(try await client.get("/v1/friends").status == 200)
        #expect(try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#).status == 403)
        #expect(try await client.get("/v1/tokens").status == 403)
        client.token = "everything"
        let act = try await client.get("/v1/log?verb=tokens.create").json
        #expect(try act.at(["data", "0", "who", "name"]) == .text("everything"))
        #expect(try act.at(["data", "0", "after", "scopes"]) == .text("read, locate"))
    }

    @Test func `the list has the account's tokens, marks the caller's own, and shows no secret`() async throws {
        let client = try await APIClient.test()
        let list = try await client.get("/v1/tokens")
        let tokens = try list.at("data")?.list ?? []
        #expect(tokens.count == 4)
        #expect(tokens.allSatisfy { $0.object?["account"] == .text("default") })
        #expect(
            tokens.filter { $0.object?["is_own"] == .bool(true) }.map { $0.object?["name"] } == [.text("everything")])
        for secret in client.tokens.values { #expect(!list.text.contains(secret.suffix(43))) }
        let members = tokens.compactMap(\.object).flatMap { $0.keys }
        #expect(members.count == 4 * 10 && Set(members).isDisjoint(with: ["token", "hash", "secret"]))
    }

    @Test func `a token can't grant a scope that it does not have`() async throws {
        let client = try await steering([.read, .admin])
        let before = try await text("SELECT count(*)::text AS text FROM tokens")
        for scope in ["write", "track", "locate"] {
            let answer = try await client.send(.post, "/v1/tokens", #"{"name":"x","scopes":["read","\#(scope)"]}"#)
                .expect(422)
            #expect(answer.text.contains("read, admin"))
        }
        #expect(try await text("SELECT count(*)::text AS text FROM tokens") == before)
        #expect(try await client.send(.post, "/v1/tokens", #"{"name":"x","scopes":["admin"]}"#).status == 201)
    }

    @Test func `a new token expires no later than the one that made it`() async throws {
        let client = try await steering([.read, .admin], expires: .seconds(600))
        for body in [#"{"name":"x","scopes":["read"]}"#, #"{"name":"x","scopes":["read"],"expires_seconds":86400}"#] {
            let seconds = try await client.send(.post, "/v1/tokens", body).at("good_for_seconds")?.number ?? 1e9
            #expect(seconds <= 600, "\(body)")
        }
        let short = try await client.send(.post, "/v1/tokens", #"{"name":"x","scopes":["read"],"expires_seconds":60}"#)
        #expect(try short.at("good_for_seconds")?.number ?? 1e9 <= 60)
    }

    @Test func `a revoked token makes no token, even while the server still caches it`() async throws {
        let client = try await steering([.read, .admin])
        #expect(try await client.get("/v1/tokens").status == 200)
        try await Database.test.query("UPDATE tokens SET revoked_at = now() WHERE name = 'steering'")
        // The token is cached for some seconds, so it may still read.
        #expect(try await client.get("/v1/tokens").status == 200)
        #expect(try await client.send(.post, "/v1/tokens", #"{"name":"x","scopes":["read"]}"#).status == 401)
        #expect(try await text("SELECT count(*)::text AS text FROM tokens WHERE name = 'x'") == "0")
    }

    @Test func `another account's token gets 404 and can't be revoked`() async throws {
        let client = try await APIClient.test()
        let id = try await text("SELECT id::text AS text FROM tokens WHERE name = 'other'")
        #expect(try await client.send(.delete, "/v1/tokens/\(id)").status == 404)
        #expect(
            try await text("SELECT coalesce(revoked_at::text, 'good') AS text FROM tokens WHERE name = 'other'")
                == "good")
        for wrong in ["0", "99999", "99999999999", "x"] {
            #expect(try await client.send(.delete, "/v1/tokens/\(wrong)").status == 404, "\(wrong)")
        }
    }

    @Test func `the database role sees and revokes tokens of one account, and none without an account`() async throws {
        _ = try await APIClient.test()
        let role = try Database.test(as: "waypost_admin")
        let account: Int = try await Database.test.query("SELECT id FROM accounts WHERE name = 'default'")[0].read("id")
        let seen: SQL = "SELECT coalesce(string_agg(name, ' ' ORDER BY id), '-') AS text FROM tokens"
        #expect(try await role.run { try $0.query(seen)[0].read("text") } == "-")
        let own = AccountDatabase(role, account: account)
        #expect(try await own.run { try $0.query(seen)[0].read("text") } == "everything reader phone map")
        let revoked = try await own.run { db in
            try db.query("UPDATE tokens SET revoked_at = now() WHERE name IN ('other', 'map')").affected
        }
        #expect(revoked == 1)
        // A revocation can't be undone either.
        let again = try await own.run { db in
            try db.query("UPDATE tokens SET revoked_at = NULL WHERE name = 'map'").affected
        }
        #expect(again == 0)
        #expect(
            try await text("SELECT string_agg(name, ' ') AS text FROM tokens WHERE revoked_at IS NOT NULL") == "map")
        await role.close()
    }

    @Test func `a revoked token is refused, and a repeated revocation is logged once`() async throws {
        var client = try await APIClient.test()
        let id = try await text("SELECT id::text AS text FROM tokens WHERE name = 'reader'")
        for _ in 1...2 { #expect(try await client.send(.delete, "/v1/tokens/\(id)").status == 204) }
        let log = try await client.get("/v1/log?verb=tokens.revoke")
        #expect(try log.at("data")?.list?.count == 1)
        #expect(try log.at("data", "0", "target") == .text(id))
        #expect(try await client.get("/v1/tokens").text.contains(#""state":"revoked""#))
        client.token = "reader"
        #expect(try await client.get("/v1/friends").status == 401)
    }

    @Test func `a reply with a secret is not stored under its idempotency key`() async throws {
        let client = try await APIClient.test()
        let body = #"{"name":"map","scopes":["read"]}"#
        let one = try await client.send(.post, "/v1/tokens", body, headers: ["Idempotency-Key": "k"])
        let two = try await client.send(.post, "/v1/tokens", body, headers: ["Idempotency-Key": "k"])
        #expect(one.status == 201 && two.status == 201)
        #expect(try one.at("token") != two.at("token"))
        #expect(try await text("SELECT count(*)::text AS text FROM idempotency_keys") == "0")
    }

    @Test func `without the scope admin, tokens can't be listed, made or revoked`() async throws {
        var client = try await APIClient.test()
        for name in ["reader", "other"] {
            client.token = name
            #expect(try await client.get("/v1/tokens").status == 403)
            #expect(try await client.send(.post, "/v1/tokens", #"{"name":"x","scopes":["read"]}"#).status == 403)
            #expect(try await client.send(.delete, "/v1/tokens/1").status == 403)
        }
    }

    @Test func `while no token exists, this machine makes the first one without a token`() async throws {
        var client = try await APIClient.test()
        try await Database.test.query("DELETE FROM tokens")
        client.token = nil
        client.isOverLoopback = true
        client.headers = ["Host": "localhost"]
        let body = #"{"name":"first","scopes":["read","write","admin"]}"#
        let made = try await client.send(.post, "/v1/tokens", body).expect(201)
        #expect(try await client.send(.post, "/v1/tokens", body).status == 401)
        client.token = try made.at("token")?.text
        #expect(try await client.get("/v1/tokens").status == 200)
    }

    @Test func `a wrong request for a token is refused`() async throws {
        let client = try await APIClient.test()
        try await client.refuse(
            .post, "/v1/tokens", with: 422,
            [
                "{}", #"{"name":"","scopes":["read"]}"#, #"{"name":"x"}"#, #"{"name":"x","scopes":[]}"#,
                #"{"name":"x","scopes":["all"]}"#, #"{"name":"x","scopes":["read","read"]}"#,
                #"{"name":"x","scopes":"read"}"#,
                #"{"name":"x","scopes":["read"],"expires_seconds":0}"#, #"{"name":"x","scopes":["read"],"expires":60}"#,
                #"{"name":"x","scopes":["read"],"account":"other"}"#,
            ])
    }
}
