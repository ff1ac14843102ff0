import Contacts
import DatabaseTesting
import Polling
import Postgres
import Testing

@testable import Access

struct TokenTextTests {
    @Test func `a token is its id and 43 random letters, and parses back`() throws {
        let secrets = (0..<100).map { _ in TokenText.makeSecret() }
        #expect(Set(secrets).count == 100)
        for secret in secrets {
            let read = try #require(TokenText(TokenText(id: 7, secret: secret).text))
            #expect(read.id == 7)
            #expect(read.secret == secret)
        }
    }

    @Test(
        arguments: [
            "", "wp", "wp_", "wp_7", "wp_7_", "wp__\(a42)a", "wp_7_\(a42)aa", "wp_7_\(a42)", "xx_7_\(a42)a",
            "wp_-7_\(a42)a",
            "wp_07_\(a42)a", "wp_+7_\(a42)a", "wp_0_\(a42)a", "wp_99999999999_\(a42)a", " wp_7_\(a42)a", "wp_7_\(a42)=",
            "wp_7_\(a42.dropLast())é", "wp_7_\(a42)\u{0}",
        ] as [String])
    func `a text that is not a token is not parsed`(_ text: String) {
        #expect(TokenText(text) == nil)
    }

    private static let a42 = String(repeating: "a", count: 42)
}

@Suite(.database)
struct TokenStoreTests {
    private let tokens = TokenStore()

    private func make(
        _ scopes: Set<AccessScope> = [.read], expires: Duration? = nil
    ) async throws -> (token: Token, text: String) {
        try await Database.test.transaction { db in
            let account = try ContactStore().openAccount(named: "ada", on: db)
            return try tokens.create(account: account, name: "phone", scopes: scopes, expires: expires, on: db)
        }
    }

    /// Looks up the token under the API's role, which can't read the table. A new store has an empty cache.
    private func bearer(_ text: String, in store: TokenStore = TokenStore()) async throws -> Caller? {
        let api = try Database.test(as: "waypost_api")
        let caller = try await store.authenticate(text, on: api)
        await api.close()
        return caller
    }

    @Test func `a valid token gives its account and scopes`() async throws {
        let made = try await make([.read, .admin])
        let caller = try #require(try await bearer(made.text))
        #expect(caller.accountName == "ada")
        #expect(caller.token == made.token.id)
        #expect(caller.scopes == [.read, .admin])
        #expect(made.token.scopes == [.read, .admin])
        #expect(made.token.state == .good)
    }

    @Test func `a wrong secret or an unknown id is refused`() async throws {
        let (one, two) = (try await make(), try await make())
        let parts = try #require(TokenText(one.text))
        #expect(try await bearer(TokenText(id: two.token.id, secret: parts.secret).text) == nil)
        #expect(try await bearer(TokenText(id: 999, secret: parts.secret).text) == nil)
        #expect(try await bearer(TokenText(id: parts.id, secret: TokenText.makeSecret()).text) == nil)
        #expect(try await bearer("nonsense") == nil)
        #expect(try await bearer(one.text) != nil)
    }

    @Test func `a wrong secret is refused also while the right one is cached`() async throws {
        let made = try await make()
        let store = TokenStore()
        #expect(try await bearer(made.text, in: store) != nil)
        #expect(try await bearer(TokenText(id: made.token.id, secret: TokenText.makeSecret()).text, in: store) == nil)
        #expect(try await bearer(made.text, in: store) != nil)
    }

    @Test func `the secret is nowhere in the database`() async throws {
        let made = try await make()
        let secret = try #require(TokenText(made.text)).secret
        try await Database.test.run { db throws in
            let row: String = try db.query("SELECT t::text || encode(hash, 'escape') AS text FROM tokens AS t")[0].read(
                "text")
            #expect(!row.contains(secret))
            #expect(try rows("SELECT FROM tokens WHERE hash = sha256(\(secret)::bytea)", on: db).count == 1)
        }
    }

    @Test func `a revoked or expired token is refused, and no longer counts as an existing token`() async throws {
        let (revoked, expired) = (try await make(), try await make(expires: .seconds(60)))
        #expect(try await Database.test.run { try tokens.hasAny(on: $0) })
        #expect(try await bearer(expired.text) != nil)
        try await Database.test.run { db throws in
            #expect(try tokens.revoke(revoked.token.id, on: db)?.state == .good)
            #expect(try tokens.revoke(revoked.token.id, on: db)?.state == .revoked)
            #expect(try tokens.revoke(999, on: db) == nil)
            try db.query("UPDATE tokens SET expires_at = now() WHERE id = \(expired.token.id)")
            #expect(try tokens.list(on: db).map(\.state) == [.revoked, .expired])
            #expect(try tokens.list(account: "bob", on: db).isEmpty)
            #expect(try tokens.hasAny(on: db) == false)
        }
        #expect(try await bearer(revoked.text) == nil)
        #expect(try await bearer(expired.text) == nil)
    }

    @Test func `the last use is stored once an hour, and only for the right secret`() async throws {
        let made = try await make()
        _ = try await bearer(TokenText(id: made.token.id, secret: TokenText.makeSecret()).text)
        let database = try Database.test
        func lastUse() async throws -> String? {
            try await database.query("SELECT last_used_at::text AS at FROM tokens")[0].readIfPresent("at")
        }
        #expect(try await lastUse() == nil)
        _ = try await bearer(made.text)
        let first = try #require(try await lastUse())
        _ = try await bearer(made.text)
        #expect(try await lastUse() == first)
        try await database.run { _ = try $0.query("UPDATE tokens SET last_used_at = now() - interval '61 minutes'") }
        _ = try await bearer(made.text)
        #expect(try await lastUse() != nil)
        #expect(try await database.run { try tokens.list(on: $0)[0].idle ?? .seconds(3_600) } < .seconds(60))
    }

    @Test func `a token in use is looked up once in five seconds, and revocation ends it by then`() async throws {
        let made = try await make()
        let clock = TestClock()
        let cache = TokenCache(now: { clock.now })
        let store = TokenStore(cache: cache)
        #expect(try await bearer(made.text, in: store) != nil)
        try await Database.test.run { _ = try tokens.revoke(made.token.id, on: $0) }
        clock.advance(by: .milliseconds(4_900))
        #expect(try await bearer(made.text, in: store) != nil)
        clock.advance(by: .milliseconds(200))
        #expect(try await bearer(made.text, in: store) == nil)
    }

    @Test func `a token that expires within five seconds is looked up again then`() async throws {
        let made = try await make(expires: .seconds(2))
        let clock = TestClock()
        let store = TokenStore(cache: TokenCache(now: { clock.now }))
        #expect(try await bearer(made.text, in: store) != nil)
        try await Database.test.run { _ = try tokens.revoke(made.token.id, on: $0) }
        clock.advance(by: .seconds(2))
        #expect(try await bearer(made.text, in: store) == nil)
    }

    @Test func `a session that is ended while it is looked up is over`() async throws {
        let made = try await make()
        let api = try Database.test(as: "waypost_api")
        let sessions = SessionStore()
        let text = try #require(TokenText(made.text))
        let secret = try #require(try await api.run { try sessions.begin(text, on: $0) })
        // Another request looks the session up between the sign-out's call and its statement.
        let meddling = Meddling(database: api) { _ = try await sessions.caller(keeping: secret, on: api) }
        #expect(try await sessions.caller(keeping: secret, on: api) != nil)
        try await sessions.end(secret, on: meddling)
        #expect(try await sessions.caller(keeping: secret, on: api) == nil)
        await api.close()
    }

    @Test func `a cache entry ends with its token, and the cache is bounded`() {
        let clock = TestClock()
        let cache = TokenCache(now: { clock.now })
        func holder(_ id: Int) -> TokenHolder {
            TokenHolder(hash: [], caller: Caller(account: 1, accountName: "ada", token: id, scopes: []))
        }
        cache.remember(holder(1), goodFor: .seconds(1))
        #expect(cache[1] != nil)
        clock.advance(by: .seconds(1))
        #expect(cache[1] == nil)
        for id in 2...TokenCache.most + 10 { cache.remember(holder(id), goodFor: nil) }
        #expect((1...2 * TokenCache.most).filter { cache[$0] != nil }.count == TokenCache.most)
        clock.advance(by: TokenCache.lifetime)
        cache.remember(holder(1), goodFor: nil)
        #expect(cache[1] != nil)
    }
}

/// A database before whose statements something else happens.
private struct Meddling: DatabaseAccess {
    let database: Database
    let meddle: @Sendable () async throws -> Void

    func run<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await meddle()
        return try await database.run(within: limit, body)
    }
}
