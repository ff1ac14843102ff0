import DatabaseTesting
import Foundation
import HTTP
import JSON
import Polling
import Postgres
import Testing

@testable import API
@testable import Access

/// A person signs in with a token, and the browser keeps a session.
@Suite(.database)
struct SessionTests {
    private let host = "map.example:8080"

    /// Sends a request like a browser: with its cookie and with the origin of the page.
    private func ask(
        _ client: APIClient, _ method: ServerRequest.Method, _ path: String, cookie: String? = nil,
        headers: HTTPHeaders = ["Sec-Fetch-Site": "same-origin"], form: String? = nil, isOverTLS: Bool = false
    ) async throws -> ServerResponse {
        var router = client.server.router
        client.server.addSessions(to: &router)
        var all = headers
        all["Host"] = host
        all["Cookie"] = cookie
        if form != nil { all["Content-Type"] = "application/x-www-form-urlencoded" }
        let segments = path.split(separator: "/").map(String.init)
        guard case .route(let route, let parameters) = router.find(method, segments) else {
            throw RouteMissing(target: path)
        }
        return try await route.respond(
            to: ServerRequest(
                method, path: segments, headers: all, body: RequestBody(Array((form ?? "").utf8)),
                isOverLoopback: false, isOverTLS: isOverTLS),
            parameters: parameters)
    }

    private func signIn(_ client: APIClient, as name: String = "everything") async throws -> String {
        let answer = try await ask(client, .post, "/sign-in", form: "token=\(client.tokens[name] ?? name)")
        return try #require(answer.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init))
    }

    @Test func `signing in sets a cookie that is HttpOnly and SameSite`() async throws {
        let client = try await APIClient.test()
        let token = client.tokens["everything"] ?? ""
        let answer = try await ask(client, .post, "/sign-in", form: "token=%20\(token)%0A&next=/map")
        #expect(answer.status == 303 && answer.headers["Location"] == "/map")
        let cookie = try #require(answer.headers["Set-Cookie"])
        #expect(
            cookie.wholeMatch(
                of: #/waypost_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict/#) != nil)
        #expect(!cookie.contains(token))
        let overTLS = try await ask(client, .post, "/sign-in", form: "token=\(token)", isOverTLS: true)
        #expect(overTLS.headers["Set-Cookie"]?.hasSuffix("; SameSite=Strict; Secure") == true)
    }

    @Test func `a session has the account and scopes of its token`() async throws {
        let client = try await APIClient.test()
        let cookie = try await signIn(client, as: "reader")
        let session = try JSONValue(parsing: await ask(client, .get, "/session", cookie: cookie).bytes)
        #expect(session.object?["account"] == .text("default") && session.object?["scopes"]?.list == [.text("read")])
        #expect(try await ask(client, .get, "/v1/friends", cookie: cookie).status == 200)
        #expect(try await ask(client, .get, "/v1/lanes", cookie: cookie).status == 403)
        #expect(try await ask(client, .get, "/v1/friends", cookie: "a=b; \(cookie)").status == 200)
    }

    @Test func `an act in a session is logged under the token's name`() async throws {
        let client = try await APIClient.test()
        let cookie = try await signIn(client)
        #expect(try await ask(client, .post, "/v1/lanes/gazetteer/resume", cookie: cookie).status < 300)
        #expect(try await ask(client, .post, "/v1/lanes/gazetteer/pause", cookie: cookie).status < 300)
        let authors = try await Database.test.run { db in
            try db.query("SELECT author FROM audit_log WHERE verb = 'lanes.pause'").map {
                try $0.read("author", as: String.self)
            }
        }
        #expect(authors == ["everything"])
    }

    @Test(arguments: ["", "wp_1_x", "everything", "token=", "%20"])
    func `signing in with an invalid token sets no cookie`(text: String) async throws {
        let client = try await APIClient.test()
        let answer = try await ask(client, .post, "/sign-in", form: "token=\(text)")
        #expect(answer.status == 303 && answer.headers["Location"] == "/sign-in?wrong")
        #expect(answer.headers["Set-Cookie"] == nil)
        for cookie in [nil, "waypost_session=", "waypost_session=\(String(repeating: "a", count: 43))"] {
            #expect(try await ask(client, .get, "/v1/friends", cookie: cookie).status == 401)
            let session = try JSONValue(parsing: await ask(client, .get, "/session", cookie: cookie).bytes)
            #expect(session.object?["account"] == .null)
        }
    }

    @Test(
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
            ["Origin": "https://evil.example"], ["Origin": "http://map.example:9090"], ["Origin": "null"], [:],
        ] as [HTTPHeaders])
    func `another site's page can't use the cookie to write, sign in or sign out`(
        _ headers: HTTPHeaders
    ) async throws {
        let client = try await APIClient.test()
        let cookie = try await signIn(client)
        for path in ["/v1/friends/1/geocode", "/sign-in", "/sign-out"] {
            let refused = try await ask(client, .post, path, cookie: cookie, headers: headers, form: "token=x")
            #expect(refused.status == 403, "\(path)")
        }
        #expect(try await ask(client, .get, "/v1/friends", cookie: cookie).status == 200)
    }

    @Test func `a request with only an Origin header of this server is accepted`() async throws {
        let client = try await APIClient.test()
        let cookie = try await signIn(client)
        let answer = try await ask(
            client, .post, "/v1/friends/1/geocode", cookie: cookie, headers: ["Origin": "http://\(host)"])
        #expect(answer.status == 404)
    }

    @Test(arguments: ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "/a\r\nX: y", "/?x"])
    func `the sign-in redirects to no other site`(next: String) async throws {
        let client = try await APIClient.test()
        let quoted = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await ask(
            client, .post, "/sign-in", form: "token=\(client.tokens["reader"] ?? "")&next=\(quoted)")
        #expect(answer.headers["Location"] == "/")
    }

    @Test func `signing out, revocation and expiry end a session`() async throws {
        var client = try await APIClient.test()
        let clock = TestClock()
        client.server.sessions = SessionStore(cache: BriefCache(now: { clock.now }))
        let (first, second) = (try await signIn(client), try await signIn(client))
        let third = try await signIn(client, as: "reader")
        // The session is cached as valid, and still ends at once.
        #expect(try await ask(client, .get, "/v1/friends", cookie: first).status == 200)
        let out = try await ask(client, .post, "/sign-out", cookie: first)
        #expect(out.status == 303 && out.headers["Set-Cookie"]?.contains("waypost_session=; Path=/; Max-Age=0") == true)
        #expect(try await ask(client, .get, "/v1/friends", cookie: first).status == 401)
        #expect(try await ask(client, .get, "/v1/friends", cookie: second).status == 200)
        try await Database.test.run { db in
            try db.query("UPDATE tokens SET revoked_at = now() WHERE name = 'everything'")
            try db.query(
                "UPDATE sessions SET expires_at = now() FROM tokens WHERE tokens.id = token AND tokens.name = 'reader'")
        }
        clock.advance(by: BriefCache<[UInt8], Caller>.lifetime)
        #expect(try await ask(client, .get, "/v1/friends", cookie: second).status == 401)
        #expect(try await ask(client, .get, "/v1/friends", cookie: third).status == 401)
    }

    @Test func `a session in use is looked up once in five seconds, and revocation ends it by then`() async throws {
        var client = try await APIClient.test()
        let clock = TestClock()
        client.server.sessions = SessionStore(cache: BriefCache(now: { clock.now }))
        let cookie = try await signIn(client)
        try await Database.test.run(
            script: """
                CREATE SEQUENCE looks;
                GRANT USAGE ON SEQUENCE looks TO PUBLIC;
                CREATE SCHEMA before;
                ALTER FUNCTION bearer_of_session(bytea) SET SCHEMA before;
                CREATE FUNCTION bearer_of_session(session_hash bytea)
                RETURNS TABLE (token integer, token_name text, account integer, account_name text, scopes text[])
                LANGUAGE plpgsql SECURITY DEFINER AS $$
                #variable_conflict use_column
                BEGIN
                    PERFORM nextval('looks');
                    RETURN QUERY SELECT * FROM before.bearer_of_session(session_hash);
                END $$;
                GRANT EXECUTE ON FUNCTION bearer_of_session(bytea) TO waypost_api;
                """)
        func looks() async throws -> Int {
            try await Database.test.query("SELECT nextval('looks') - 1 AS n")[0].read("n")
        }
        // One lookup also serves concurrent requests. A slow machine refuses some of them, which come again.
        try await withThrowingTaskGroup(of: Int.self) { [client] group in
            for _ in 1...20 {
                group.addTask {
                    while true {
                        let status = try await ask(client, .get, "/v1/friends", cookie: cookie).status
                        if status != 429 { return status }
                    }
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        for _ in 1...5 { #expect(try await ask(client, .get, "/v1/friends", cookie: cookie).status == 200) }
        #expect(try await looks() == 1)
        try await Database.test.query("UPDATE tokens SET revoked_at = now()")
        clock.advance(by: .milliseconds(4_900))
        #expect(try await ask(client, .get, "/v1/friends", cookie: cookie).status == 200)
        clock.advance(by: .milliseconds(200))
        #expect(try await ask(client, .get, "/v1/friends", cookie: cookie).status == 401)
    }

    @Test func `a sign-out during a lookup of the session is not undone by the lookup`() async throws {
        let cache = BriefCache<Int, String>()
        #expect(try await cache.value(for: 1) { "ada" } == "ada")
        #expect(cache[1] == "ada")
        let late = try await cache.value(for: 2) {
            cache.forget(2)
            return "bob"
        }
        #expect(late == "bob" && cache[2] == nil)
    }

    @Test func `a session is stored as a hash, and expired ones are deleted`() async throws {
        let client = try await APIClient.test()
        let secret = try await signIn(client).split(separator: "=")[1]
        _ = try await signIn(client, as: "reader")
        let hashes = try await Database.test.run { db in
            try db.query("UPDATE sessions SET expires_at = now() - interval '1 s' RETURNING hash").map {
                try $0.read("hash", as: Bytes.self).bytes
            }
        }
        #expect(hashes.contains(Digest.sha256(secret.utf8)))
        _ = try await signIn(client)
        let left: Int = try await Database.test.query("SELECT count(*) AS n FROM sessions")[0].read("n")
        #expect(left == 1)
    }

    @Test func `the server's own role can't read the sessions`() async throws {
        let api = try Database.test(as: "waypost_api")
        await #expect(throws: DatabaseError.self) { try await api.run { try $0.query("SELECT FROM sessions") } }
        await api.close()
    }
}
