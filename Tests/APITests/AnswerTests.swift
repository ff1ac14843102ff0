import Contacts
import DatabaseTesting
import HTTP
import JSON
import Operations
import Postgres
import Queue
import Synchronization
import Testing

@testable import API

@Suite(.database)
struct AnswerTests {
    fileprivate let contact = #"{"first_name":"Ada"}"#

    @Test func `without a token, or with a wrong one, nothing is answered`() async throws {
        var client = try await APIClient.test()
        client.token = nil
        let none = try await client.get("/v1/friends")
        #expect(none.status == 401)
        #expect(none.headers["WWW-Authenticate"] == "Bearer")
        client.token = "stolen"
        let wrong = try await client.get("/api/contacts")
        #expect(wrong.status == 401)
        #expect(wrong.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        #expect(try wrong.at("error", "error_code") == .number(42))
    }

    @Test func `a token does only what it is good for`() async throws {
        var client = try await APIClient.test()
        client.token = "reader"
        let answer = try await client.send(.post, "/api/contacts", contact)
        #expect(answer.status == 403)
        #expect(answer.headers["WWW-Authenticate"]?.contains("scope=\"write\"") == true)
        #expect(try await client.get("/v1/friends").status == 200)
        #expect(try await client.get("/v1/reverse?latitude=1&longitude=1").status == 403)
    }

    @Test func `each route but two wants a token`() async throws {
        var client = try await APIClient.test()
        client.token = nil
        var open: [String] = []
        for route in client.server.router.routes {
            let target = route.pattern.replacing("{id}", with: "1").replacing("{name}", with: "gazetteer")
            if try await client.ask(route.method, target).status != 401 { open.append(route.pattern) }
        }
        #expect(open == ["/v1/openapi.json", "/health"])
    }

    private func openClient() async throws -> APIClient {
        var client = try await APIClient.test()
        try await Database.test.run { try $0.query("DELETE FROM tokens") }
        client.token = nil
        client.isOverLoopback = true
        return client
    }

    @Test(arguments: ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST"])
    func `while there is no token, this machine may do all`(host: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": host]
        #expect(try await client.get("/v1/friends").status == 200)
        #expect(
            try await client.send(.post, "/api/contacts", contact, headers: ["Origin": "http://\(host)"]).status == 201)
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", ""])
    func `a page whose name points at this machine gets nothing`(host: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": host]
        #expect(try await client.get("/v1/friends").status == 403)
        client.headers = [:]
        #expect(try await client.get("/v1/friends").status == 403)
    }

    @Test(arguments: ["https://evil.example", "null", "http://localhost.evil.example", "file://localhost"])
    func `another site's page can't ask while there is no token`(origin: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": "localhost", "Origin": origin]
        #expect(try await client.send(.post, "/v1/friends/1/geocode").status == 403)
    }

    @Test func `another machine needs a token`() async throws {
        var client = try await openClient()
        client.headers = ["Host": "localhost"]
        client.isOverLoopback = false
        #expect(try await client.get("/v1/friends").status == 401)
    }

    @Test func `another site's page can't have its browser fetch from here while there is no token`() async throws {
        // An image, a script or a link names no origin. /v1/reverse may cost a call.
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

    @Test(arguments: ["Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto", "X-Real-IP", "Via"])
    func `who comes through a proxy of this machine needs a token`(header: String) async throws {
        var client = try await openClient()
        client.headers = ["Host": "127.0.0.1:8080", "Connection": "close"]
        client.headers.append(header, "127.0.0.1")
        #expect(try await client.get("/v1/friends").status == 401)
    }

    @Test func `once there was a token nobody is served without, from that moment on and for good`() async throws {
        var client = try await openClient()
        client.headers = ["Host": "localhost"]
        #expect(try await client.get("/v1/friends").status == 200)
        let (tokens, intake) = (TokenStore(), Intake(queue: JobQueue()))
        let made = try await Database.test.run { db in
            try tokens.create(account: intake.account(named: "default", on: db), name: "a", scopes: [.read], on: db)
        }
        #expect(try await client.get("/v1/friends").status == 401)
        try await Database.test.run { _ = try tokens.revoke(made.token.id, on: $0) }
        #expect(try await client.get("/v1/friends").status == 401)
    }

    /// As docs/api.md has it.
    private static let scopes: [String: AccessScope] = [
        "GET /api/contacts": .read, "POST /api/contacts": .write,
        "GET /api/contacts/{id}": .read, "PUT /api/contacts/{id}": .write, "DELETE /api/contacts/{id}": .write,
        "GET /api/contacts/{id}/addresses": .read,
        "GET /api/addresses": .read, "POST /api/addresses": .write,
        "GET /api/addresses/{id}": .read, "PUT /api/addresses/{id}": .write, "DELETE /api/addresses/{id}": .write,
        "GET /api/countries": .read,
        "GET /v1/friends": .read, "PUT /v1/friends": .write,
        "GET /v1/friends/{id}": .read, "DELETE /v1/friends/{id}": .write,
        "POST /v1/friends/{id}/geocode": .write, "POST /v1/friends/{id}/retry": .write,
        "GET /v1/places": .read, "GET /v1/progress": .read, "GET /v1/progress/events": .read,
        "POST /v1/geocode": .write, "GET /v1/reverse": .write,
        "GET /v1/lanes": .admin, "GET /v1/lanes/{name}": .admin, "GET /v1/queue": .admin,
    ]

    @Test func `each route takes the one scope that is its own`() async throws {
        var client = try await APIClient.test()
        let (tokens, intake) = (TokenStore(), Intake(queue: JobQueue()))
        let texts = try await Database.test.run { db throws in
            let account = try intake.account(named: "default", on: db)
            var texts: [AccessScope: String] = [:]
            for scope in AccessScope.allCases {
                texts[scope] = try tokens.create(account: account, name: "a", scopes: [scope], on: db).text
            }
            let all = Set(AccessScope.allCases)
            let revoked = try tokens.create(account: account, name: "revoked", scopes: all, on: db)
            _ = try tokens.revoke(revoked.token.id, on: db)
            let expired = try tokens.create(
                account: account, name: "expired", scopes: all, expires: .seconds(-1), on: db)
            return (good: texts, bad: [revoked.text, expired.text])
        }
        let guessed = (texts.good[.read] ?? "").dropLast() + (texts.good[.read]?.hasSuffix("A") == true ? "B" : "A")
        for route in client.server.router.routes {
            guard let scope = Self.scopes["\(route.method.rawValue) \(route.pattern)"] else {
                #expect(["/v1/openapi.json", "/health"].contains(route.pattern))
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

    @Test func `a token stands in one header, and nowhere else`() async throws {
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
        // Who asks must not depend on which of them a program between looks at.
        let two: HTTPHeaders = ["Authorization": "Bearer \(token)", "authorization": "Bearer \(token)"]
        #expect(try await client.get("/v1/friends", headers: two).status == 401)
        #expect(try await client.get("/v1/friends?access_token=\(token)").status == 401)
        #expect(
            try await client.get("/v1/friends", headers: ["Cookie": "token=\(token)", "X-Api-Key": token]).status == 401
        )
    }

    @Test func `an answer that the client has is not sent again`() async throws {
        let client = try await APIClient.test()
        let first = try await client.get("/v1/friends")
        let tag = try #require(first.headers["ETag"])
        #expect(first.headers["Cache-Control"] == "private, no-cache")
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"x\",\tW/\(tag)\t,\"y\""] {
            let again = try await client.get("/v1/friends", headers: ["If-None-Match": known])
            #expect(again.status == 304, "\(known)")
            #expect(again.bytes.isEmpty)
            #expect(again.headers["ETag"] == tag)
        }
        _ = try await client.send(.post, "/api/contacts", contact)
        let changed = try await client.get("/v1/friends", headers: ["If-None-Match": tag])
        #expect(changed.status == 200)
        #expect(changed.headers["ETag"] != tag)
    }

    @Test func `a place that a worker finds changes the tag of every answer that shows it`() async throws {
        let client = try await APIClient.test()
        let id = try await client.send(.post, "/api/contacts", contact).at("data", "id")?.number ?? 0
        let body = #"{"contact_id":\#(Int(id)),"street":"1 Main St","city":"Reno","country":"US"}"#
        let address = try await client.send(.post, "/api/addresses", body).at("data", "id")?.number ?? 0
        let targets = [
            "/api/contacts", "/api/contacts/\(Int(id))", "/api/contacts/\(Int(id))/addresses", "/api/addresses",
            "/api/addresses/\(Int(address))", "/v1/friends", "/v1/friends/\(Int(id))", "/v1/progress",
            "/v1/places?bbox=-180,-90,180,90",
        ]
        var tags: [String: String] = [:]
        for target in targets { tags[target] = try await client.get(target).headers["ETag"] }
        try await Database.test.run { try $0.locateAll() }
        for target in targets {
            let tag = try #require(tags[target])
            #expect(try await client.get(target, headers: ["If-None-Match": tag]).status == 200, "\(target)")
        }
    }

    private static func deep(_ levels: Int) -> String {
        let (open, close) = (String(repeating: "[", count: levels), String(repeating: "]", count: levels))
        return #"{"first_name":"Ada","x":\#(open)\#(close)}"#
    }

    @Test(arguments: [
        "", "{", "[]", "1", "null", #"{"first_name":"\ud800"}"#, #"{"first_name":1e999}"#, #"{"first_name":"a}"#,
        String(repeating: "[", count: 100_000), deep(20),
    ])
    func `a body that is no object of JSON is refused`(body: String) async throws {
        let answer = try await APIClient.test().send(.post, "/api/contacts", body)
        #expect(answer.status == 400)
        #expect(try answer.at("error", "error_code") == .number(37))
    }

    @Test func `bytes that are not UTF-8 are refused`() async throws {
        let answer = try await APIClient.test().ask(
            .post, "/api/contacts", headers: ["Content-Type": "application/json"],
            body: Array(#"{"first_name":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8))
        #expect(answer.status == 400)
    }

    @Test func `a body of another type, or without one, is refused`() async throws {
        let client = try await APIClient.test()
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            #expect(try await client.send(.post, "/api/contacts", contact, type: type).status == 415, "\(type)")
        }
        #expect(try await client.ask(.post, "/api/contacts", body: Array(contact.utf8)).status == 415)
        let charset = try await client.send(.post, "/api/contacts", contact, type: "Application/JSON; charset=utf-8")
        #expect(charset.status == 201)
    }

    @Test func `a body that is too long is refused`() async throws {
        let long = #"{"first_name":"Ada","x":""# + String(repeating: "x", count: 300_000) + "\"}"
        #expect(try await APIClient.test().send(.post, "/api/contacts", long).status == 413)
    }

    @Test(arguments: ["0", "-1", "+1", "x", "99999999999999999999", "1.0", "%00", "%F0%9F%98%80", "0x1"])
    func `a number that nothing can have is not there`(id: String) async throws {
        let client = try await APIClient.test()
        for pattern in ["/v1/friends/", "/api/contacts/", "/api/addresses/"] {
            let status = try await client.get(pattern + id).status
            #expect(status == (id == "%00" ? 400 : 404), "\(pattern)\(id)")
        }
        _ = try await client.send(.post, "/api/contacts", contact)
        #expect(try await client.get("/api/contacts/1").status == 200)
        #expect(try await client.get("/api/contacts/+1").status == 404)
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=-1", "limit=", "limit=99999999999999999999", "after=x", "country=usa",
        "country=us", "status=lost", "feed=%00", "limt=5", "limit=1&limit=2",
    ])
    func `a parameter that can't be used is named`(query: String) async throws {
        let answer = try await APIClient.test().get("/v1/friends?\(query)")
        #expect(answer.status == 400)
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        #expect(try answer.at("status") == .number(400))
        #expect(try answer.at("errors", "0", "field")?.text?.isEmpty == false)
    }

    @Test func `a failure is told by a number that the log has too, and by nothing else`() async throws {
        let lines = Mutex<[String]>([])
        let client = try await APIClient.test(log: Log(format: .logfmt) { line in lines.withLock { $0.append(line) } })
        try await Database.test.run { try $0.query("ALTER TABLE friends RENAME TO enemies") }
        let answer = try await client.get("/v1/friends")
        #expect(answer.status == 500)
        #expect(!answer.text.contains("SELECT"))
        #expect(!answer.text.contains("friends"))
        let id = try #require(answer.at("detail")?.text?.split(separator: " ").last?.dropLast())
        #expect(lines.withLock { $0 }.contains { $0.contains(id) && $0.contains("/v1/friends") })
    }

    @Test func `while the database is away the client is told to come again`() async throws {
        var options = Database.Options(size: 1)
        options.waitLimit = .milliseconds(1)
        let away = Database(url: "postgresql:///nobody?host=/nonexistent", options: options)
        let client = try await APIClient.test { $0.database = away }
        for target in ["/v1/friends/1", "/api/contacts", "/health"] {
            let answer = try await client.get(target)
            #expect(answer.status == 503, "\(target)")
            #expect(answer.headers["Retry-After"] != nil)
        }
    }

    @Test func `health does not wait as long as a request does`() async throws {
        let away = Database(url: "postgresql:///nobody?host=/nonexistent", options: Database.Options(size: 1))
        let client = try await APIClient.test {
            $0.database = away
            $0.healthLimit = .zero
        }
        let began = ContinuousClock.now
        #expect(try await client.get("/health").status == 503)
        #expect(ContinuousClock.now - began < Database.Options().waitLimit / 2)
    }

    @Test func `a full disk is no mistake of ours`() async throws {
        let client = try await APIClient.test()
        try await Database.test.run { db throws in
            try db.run(
                script: """
                    CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';
                    END $$;
                    CREATE TRIGGER fill BEFORE INSERT ON friends FOR EACH ROW EXECUTE FUNCTION fill();
                    """)
        }
        let answer = try await client.send(.post, "/api/contacts", contact)
        #expect(answer.status == 503)
        #expect(answer.headers["Retry-After"] == "60")
    }

    @Test func `a request with a key that came before is not carried out again`() async throws {
        let client = try await APIClient.test()
        let key: HTTPHeaders = ["Idempotency-Key": "k-1"]
        let first = try await client.send(.post, "/api/contacts", contact, headers: key)
        let again = try await client.send(.post, "/api/contacts", contact, headers: key)
        #expect(first.status == 201)
        #expect(again.bytes == first.bytes)
        #expect(try await client.get("/api/contacts").at("meta", "total") == .number(1))

        let another = try await client.send(.post, "/api/contacts", #"{"first_name":"Eve"}"#, headers: key)
        #expect(another.status == 409)
        for bad: HTTPHeaders in [["Idempotency-Key": "a b"], ["Idempotency-Key": "k-2", "idempotency-key": "k-3"]] {
            #expect(try await client.send(.post, "/api/contacts", contact, headers: bad).status == 400)
        }
    }
}

extension AnswerTests {
    @Test func `what no route answers is refused in the same form`() throws {
        let response = APIServer.refusal(405, "Not \"here\".")
        #expect(response.headers["Content-Type"] == "application/problem+json")
        let text = String(decoding: response.bytes, as: UTF8.self)
        #expect(text == #"{"title":"Method Not Allowed","status":405,"detail":"Not \"here\"."}"#)
    }

    @Test func `what can't be kept under its key is not done either`() async throws {
        let client = try await APIClient.test()
        try await Database.test.run {
            try $0.query("ALTER TABLE idempotency_keys ADD CONSTRAINT there_is_no_room CHECK (false)")
        }
        let key: HTTPHeaders = ["Idempotency-Key": "k-1"]
        #expect(try await client.send(.post, "/api/contacts", contact, headers: key).status == 500)
        #expect(try await client.get("/api/contacts").at("meta", "total") == .number(0))
    }
}
