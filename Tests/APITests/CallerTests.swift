import Access
import Contacts
import DatabaseTesting
import HTTP
import JSON
import Postgres
import Testing

@testable import API

/// Authentication, and the scope of each route.
@Suite(.database)
struct CallerTests {
    private let contact = #"{"first_name":"Ada"}"#

    @Test func `a request without a valid token gets 401`() async throws {
        var client = try await APIClient.test()
        client.token = nil
        let none = try await client.get("/v1/friends").expect(401)
        #expect(none.headers["WWW-Authenticate"] == "Bearer")
        client.token = "stolen"
        let wrong = try await client.get("/api/contacts").expect(401)
        #expect(wrong.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        #expect(try wrong.at("error", "error_code") == .number(42))
    }

    @Test func `a token without the scope of a route gets 403`() async throws {
        var client = try await APIClient.test()
        client.token = "reader"
        let answer = try await client.send(.post, "/api/contacts", contact).expect(403)
        #expect(answer.headers["WWW-Authenticate"]?.contains("scope=\"write\"") == true)
        #expect(try await client.get("/v1/friends").status == 200)
        #expect(try await client.get("/v1/reverse?latitude=1&longitude=1").status == 403)
    }

    @Test func `every route but four needs a token`() async throws {
        var client = try await APIClient.test()
        client.token = nil
        var open: [String] = []
        for route in client.server.router.routes {
            let target = route.pattern.replacing("{id}", with: "1").replacing("{name}", with: "gazetteer")
            if try await client.ask(route.method, target).status != 401 { open.append(route.pattern) }
        }
        #expect(open == ["/v1/openapi.json", "/livez", "/health", "/readyz"])
    }

    private func openClient() async throws -> APIClient {
        var client = try await APIClient.test()
        try await Database.test.query("DELETE FROM tokens")
        client.token = nil
        client.isOverLoopback = true
        return client
    }

    @Test(arguments: ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST"])
    func `while no token exists, a request from this machine may do everything`(host: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": host]
        #expect(try await client.get("/v1/friends").status == 200)
        try await client.send(.post, "/api/contacts", contact, headers: ["Origin": "http://\(host)"]).expect(201)
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", ""])
    func `while no token exists, a foreign host name for this machine gets 403`(host: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": host]
        #expect(try await client.get("/v1/friends").status == 403)
        client.headers = [:]
        #expect(try await client.get("/v1/friends").status == 403)
    }

    @Test(arguments: ["https://evil.example", "null", "http://localhost.evil.example", "file://localhost"])
    func `while no token exists, a request from another site's page is refused`(origin: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": "localhost", "Origin": origin]
        #expect(try await client.send(.post, "/v1/friends/1/geocode").status == 403)
    }

    @Test func `a request from another machine needs a token`() async throws {
        var client = try await openClient()
        client.headers = ["Host": "localhost"]
        client.isOverLoopback = false
        #expect(try await client.get("/v1/friends").status == 401)
    }

    @Test func `while no token exists, a fetch by another site's page is refused`() async throws {
        // The request for an image, a script or a link has no Origin. /v1/reverse may cost a call.
        var client = try await openClient()
        client.headers = ["Host": "localhost", "Sec-Fetch-Site": "cross-site"]
        #expect(try await client.get("/v1/reverse?latitude=1&longitude=1").status == 403)
        #expect(try await client.get("/v1/friends").status == 403)
        for site in ["none", "same-origin", "same-site"] {
            client.headers = ["Host": "localhost", "Sec-Fetch-Site": site]
            #expect(try await client.get("/v1/friends").status == 200, "\(site)")
        }
        // A page that this machine serves under another of its names.
        client.headers = ["Host": "localhost", "Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:3000"]
        #expect(try await client.get("/v1/friends").status == 200)
    }

    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto", "X-Real-IP", "Via",
        "X-Forwarded-Port", "X-Forwarded-Server", "X-Forwarded-Prefix", "X-Forwarded", "X-Forwarded-Client-Cert",
        "CF-Connecting-IP", "cf-ray", "CF-IPCountry", "CF-Visitor", "True-Client-IP",
    ])
    func `a request through a local proxy needs a token`(header: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": "127.0.0.1:8080", "Connection": "close"]
        client.headers.append(header, "127.0.0.1")
        #expect(try await client.get("/v1/friends").status == 401)
    }

    @Test func `after the first token was made, a request without a token is refused for good`() async throws {
        var client = try await openClient()
        client.headers = ["Host": "localhost"]
        #expect(try await client.get("/v1/friends").status == 200)
        let tokens = TokenStore()
        let made = try await Database.test.run { db in
            try tokens.create(
                account: ContactStore().openAccount(named: "default", on: db), name: "a", scopes: [.read], on: db)
        }
        #expect(try await client.get("/v1/friends").status == 401)
        try await Database.test.run { _ = try tokens.revoke(made.token.id, on: $0) }
        #expect(try await client.get("/v1/friends").status == 401)
    }

    /// The table in docs/api.md.
    private static let scopes: [String: AccessScope] = [
        "GET /api/contacts": .read, "POST /api/contacts": .write,
        "GET /api/contacts/{id}": .read, "PUT /api/contacts/{id}": .write, "DELETE /api/contacts/{id}": .write,
        "GET /api/contacts/{id}/addresses": .read, "POST /api/contacts/{id}/addresses": .write,
        "GET /api/addresses": .read, "POST /api/addresses": .write,
        "GET /api/addresses/{id}": .read, "PUT /api/addresses/{id}": .write, "DELETE /api/addresses/{id}": .write,
        "GET /api/countries": .read,
        "GET /v1/friends": .read, "PUT /v1/friends": .write,
        "GET /v1/friends/{id}": .read, "DELETE /v1/friends/{id}": .write,
        "POST /v1/friends/{id}/geocode": .write, "POST /v1/friends/{id}/retry": .write,
        "POST /v1/friends/{id}/rematch": .write, "POST /v1/rematch": .admin, "GET /v1/chains/{name}/report": .admin,
        "POST /v1/friends/batch": .read, "GET /v1/feeds/{feed}/friends/{key}": .read,
        "PUT /v1/feeds/{feed}/friends/{key}": .write,
        "DELETE /v1/feeds/{feed}/friends/{key}": .write,
        "GET /v1/places": .read, "GET /v1/progress": .read, "GET /v1/progress/events": .read,
        "GET /v1/suggest": .read, "POST /v1/plan": .write, "POST /v1/addresses/{id}/retry": .write,
        "POST /v1/geocode": .write, "GET /v1/reverse": .write, "POST /v1/geocode/file": .write,
        "POST /v1/plan/file": .write, "GET /v1/geocode/files": .write, "GET /v1/geocode/files/{id}": .write,
        "GET /v1/geocode/files/{id}/result": .write, "GET /v1/geocode/files/{id}/rows": .write,
        "GET /v1/geocode/files/{id}/events": .write, "DELETE /v1/geocode/files/{id}": .write,
        "GET /v1/trackers": .locate, "GET /v1/trackers/{user}": .locate, "DELETE /v1/trackers/{user}": .write,
        "POST /v1/trackers/{user}/start": .track, "POST /v1/trackers/{user}/stop": .track,
        "PUT /v1/trackers/{user}/sign-in": .track, "DELETE /v1/trackers/{user}/sign-in": .track,
        "GET /v1/trackers/{user}/events": .locate,
        "POST /v1/trackers/{user}/locations": .track, "GET /v1/trackers/{user}/locations": .locate,
        "GET /v1/trackers/{user}/current": .locate, "GET /v1/trackers/{user}/track.geojson": .locate,
        "GET /v1/trackers/{user}/track.gpx": .locate, "POST /v1/owntracks": .track, "POST /v1/overland": .track,
        "GET /v1/osmand": .track, "POST /v1/osmand": .track,
        "GET /v1/lanes": .admin, "GET /v1/lanes/{name}": .admin, "GET /v1/queue": .admin,
        "GET /v1/overview": .admin, "GET /v1/overview/events": .admin, "GET /v1/throughput/history": .admin,
        "POST /v1/lanes": .admin, "PATCH /v1/lanes/{name}": .admin, "PUT /v1/lanes/{name}/limits": .admin,
        "POST /v1/lanes/{name}/pause": .admin, "POST /v1/lanes/{name}/resume": .admin,
        "GET /v1/lanes/{name}/audit": .admin, "GET /v1/workers": .admin, "POST /v1/workers/{id}/quiet": .admin,
        "POST /v1/workers/{id}/resume": .admin, "GET /v1/log": .admin,
        "GET /v1/jobs/finished": .admin,
        "GET /v1/jobs": .admin, "GET /v1/jobs/{id}": .admin, "POST /v1/jobs/{id}/hurry": .admin,
        "POST /v1/jobs/{id}/retry": .admin, "POST /v1/jobs/{id}/cancel": .admin, "POST /v1/jobs/{id}/discard": .admin,
        "POST /v1/jobs/retry": .admin, "POST /v1/jobs/cancel": .admin, "POST /v1/jobs/discard": .admin,
        "GET /v1/chains": .admin, "GET /v1/chains/{name}": .admin, "PUT /v1/chains/{name}": .admin,
        "POST /v1/chains/{name}/use": .admin, "GET /v1/cache": .admin, "POST /v1/cache/expire": .admin,
        "POST /v1/cache/purge": .admin, "GET /v1/cache/answers": .admin, "GET /v1/tokens": .admin,
        "POST /v1/tokens": .admin, "DELETE /v1/tokens/{id}": .admin, "GET /v1/settings": .admin,
        "GET /v1/gateway": .admin,
        "GET /v1/doctor": .admin,
        "GET /v1/review": .admin, "GET /v1/review/{id}": .admin, "POST /v1/review/{id}/accept": .admin,
        "POST /v1/review/{id}/reject": .admin, "POST /v1/review/{id}/pin": .admin,
        "POST /v1/review/{id}/undo": .admin,
        "GET /metrics": .admin,
    ]

    @Test func `each route needs exactly its own scope`() async throws {
        var client = try await APIClient.test()
        let tokens = TokenStore()
        let texts = try await Database.test.run { db throws in
            let account = try ContactStore().openAccount(named: "default", on: db)
            var texts: [AccessScope: String] = [:]
            for scope in AccessScope.allCases {
                texts[scope] = try tokens.create(account: account, name: "a", scopes: [scope], on: db).text
            }
            let all = Set(AccessScope.allCases).subtracting([.geocode])
            let revoked = try tokens.create(account: account, name: "revoked", scopes: all, on: db)
            _ = try tokens.revoke(revoked.token.id, on: db)
            let expired = try tokens.create(
                account: account, name: "expired", scopes: all, expires: .seconds(-1), on: db)
            return (good: texts, bad: [revoked.text, expired.text])
        }
        let guessed = (texts.good[.read] ?? "").dropLast() + (texts.good[.read]?.hasSuffix("A") == true ? "B" : "A")
        for route in client.server.router.routes {
            guard let scope = Self.scopes["\(route.method.rawValue) \(route.pattern)"] else {
                #expect(["/v1/openapi.json", "/livez", "/health", "/readyz"].contains(route.pattern))
                continue
            }
            let target = route.pattern.replacing("{id}", with: "1").replacing("{name}", with: "gazetteer")
            for (own, text) in texts.good {
                client.token = text
                let status = try await client.ask(route.method, target).status
                let isLetIn = status != 401 && status != 403
                #expect(isLetIn == (own == scope), "\(route.method.rawValue) \(route.pattern) with \(own): \(status)")
            }
            for text in texts.bad + [String(guessed)] {
                client.token = text
                #expect(try await client.ask(route.method, target).status == 401, "\(target)")
            }
        }
    }

    @Test func `a token is accepted only in the Authorization header`() async throws {
        var client = try await APIClient.test()
        let token = try #require(client.tokens["everything"])
        client.token = nil
        for shown in ["bearer \(token)", "BEARER   \(token)"] {
            #expect(try await client.get("/v1/friends", headers: ["Authorization": shown]).status == 200, "\(shown)")
        }
        for shown in [
            "", "Bearer", token, "Basic \(token)", "Bearer \(token) \(token)", "Bearer\t\(token)", "Bearer,\(token)",
        ] {
            #expect(try await client.get("/v1/friends", headers: ["Authorization": shown]).status == 401, "\(shown)")
        }
        // Otherwise the caller would depend on which of the two headers a program in between uses.
        let two: HTTPHeaders = ["Authorization": "Bearer \(token)", "authorization": "Bearer \(token)"]
        #expect(try await client.get("/v1/friends", headers: two).status == 401)
        #expect(try await client.get("/v1/friends?access_token=\(token)").status == 401)
        try await client.get("/v1/friends", headers: ["Cookie": "token=\(token)", "X-Api-Key": token]).expect(401)
    }
}
