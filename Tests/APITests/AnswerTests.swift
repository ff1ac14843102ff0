import DatabaseTesting
import HTTP
import JSON
import Postgres
import Processes
import Queue
import Testing

@testable import API

@Suite(.database)
struct AnswerTests {
    fileprivate let contact = #"{"first_name":"Ada"}"#

    @Test func `a request for a reply that the client already has gets 304`() async throws {
        let client = try await APIClient.test()
        let first = try await client.get("/v1/friends")
        let tag = try #require(first.headers["ETag"])
        #expect(first.headers["Cache-Control"] == "private, no-cache")
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"x\",\tW/\(tag)\t,\"y\""] {
            let again = try await client.get("/v1/friends", headers: ["If-None-Match": known]).expect(304)
            #expect(again.bytes.isEmpty)
            #expect(again.headers["ETag"] == tag)
        }
        _ = try await client.send(.post, "/api/contacts", contact)
        let changed = try await client.get("/v1/friends", headers: ["If-None-Match": tag]).expect(200)
        #expect(changed.headers["ETag"] != tag)
    }

    @Test func `an answer found by a worker changes the ETag of every reply that shows it`() async throws {
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
        "", "{", "[]", "1", "null", #"{"first_name":"\ud800"}"#, #"{"first_name":1e}"#, #"{"first_name":"a}"#,
        String(repeating: "[", count: 100_000), deep(128),
    ])
    func `a body that is not a JSON object is refused`(body: String) async throws {
        let answer = try await APIClient.test().send(.post, "/api/contacts", body)
        try answer.expect(400, has: ["error.error_code": 37])
    }

    @Test func `a body that is not UTF-8 is refused`() async throws {
        let answer = try await APIClient.test().ask(
            .post, "/api/contacts", headers: ["Content-Type": "application/json"],
            body: Array(#"{"first_name":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8))
        #expect(answer.status == 400)
    }

    @Test func `a body with a wrong or missing Content-Type is refused`() async throws {
        let client = try await APIClient.test()
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            #expect(try await client.send(.post, "/api/contacts", contact, type: type).status == 415, "\(type)")
        }
        #expect(try await client.ask(.post, "/api/contacts", body: Array(contact.utf8)).status == 415)
        try await client.send(.post, "/api/contacts", contact, type: "Application/JSON; charset=utf-8").expect(201)
    }

    @Test func `a body that is too long is refused`() async throws {
        let long = #"{"first_name":"Ada","x":""# + String(repeating: "x", count: 300_000) + "\"}"
        #expect(try await APIClient.test().send(.post, "/api/contacts", long).status == 413)
    }

    @Test(arguments: ["0", "-1", "+1", "x", "99999999999999999999", "1.0", "%00", "%F0%9F%98%80", "0x1"])
    func `an id that is not a valid number is answered with 404`(id: String) async throws {
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
    func `a refused parameter is named in the problem`(query: String) async throws {
        let answer = try await APIClient.test().get("/v1/friends?\(query)")
        #expect(answer.status == 400)
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        #expect(try answer.at("status") == .number(400))
        #expect(try answer.at("errors", "0", "field")?.text?.isEmpty == false)
    }

    @Test func `a failure shows the client only an id that the log contains too`() async throws {
        let lines = Locked<[String]>([])
        let client = try await APIClient.test(log: Log(format: .logfmt) { line in lines.withLock { $0.append(line) } })
        try await Database.test.query("ALTER TABLE friends RENAME TO enemies")
        let answer = try await client.get("/v1/friends").expect(500)
        #expect(!answer.text.contains("SELECT"))
        #expect(!answer.text.contains("friends"))
        let id = try #require(answer.at("detail")?.text?.split(separator: " ").last?.dropLast())
        #expect(lines.withLock { $0 }.contains { $0.contains(id) && $0.contains("/v1/friends") })
    }

    @Test func `while the database is away, a request gets 503 with Retry-After`() async throws {
        var options = Database.Options(size: 1)
        options.waitLimit = .milliseconds(1)
        let away = Database(url: "postgresql:///nobody?host=/nonexistent", options: options)
        let client = try await APIClient.test { $0.database = away }
        for target in ["/v1/friends/1", "/api/contacts", "/health", "/readyz"] {
            let answer = try await client.get(target).expect(503)
            #expect(answer.headers["Retry-After"] != nil)
        }
    }

    @Test func `health and readiness follow the heartbeats and the leader`() async throws {
        for (isHeard, isLed, health, readiness) in [
            (true, true, 200, 200), (true, false, 200, 503), (false, true, 503, 503),
        ] {
            let client = try await APIClient.test {
                $0.standing = { _ in CoordinatorStanding(isHeard: isHeard, isLed: isLed) }
            }
            #expect(try await client.get("/health").status == health)
            #expect(try await client.get("/readyz").status == readiness)
        }
    }

    @Test func `the health check gives up sooner than a request does`() async throws {
        let away = Database(url: "postgresql:///nobody?host=/nonexistent", options: Database.Options(size: 1))
        let client = try await APIClient.test {
            $0.database = away
            $0.healthLimit = .zero
        }
        let began = ContinuousClock.now
        #expect(try await client.get("/health").status == 503)
        #expect(ContinuousClock.now - began < Database.Options().waitLimit / 2)
    }

    @Test func `a full disk is answered with 503 and Retry-After`() async throws {
        let client = try await APIClient.test()
        try await Database.test.run(
            script: """
                CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';
                END $$;
                CREATE TRIGGER fill BEFORE INSERT ON friends FOR EACH ROW EXECUTE FUNCTION fill();
                """)
        let answer = try await client.send(.post, "/api/contacts", contact).expect(503)
        #expect(answer.headers["Retry-After"] == "60")
    }

    @Test func `a repeated idempotency key returns the first reply and does nothing again`() async throws {
        let client = try await APIClient.test()
        let key: HTTPHeaders = ["Idempotency-Key": "k-1"]
        let first = try await client.send(.post, "/api/contacts", contact, headers: key)
        let again = try await client.send(.post, "/api/contacts", contact, headers: key)
        #expect(first.status == 201)
        #expect(again.bytes == first.bytes)
        #expect(try await client.get("/api/contacts").at("meta", "total") == .number(1))

        try await client.send(.post, "/api/contacts", #"{"first_name":"Eve"}"#, headers: key).expect(409)
        // Another path or method is also another request.
        let elsewhere: HTTPHeaders = ["Idempotency-Key": "k-4"]
        let friend = #"{"name":"Ada","addresses":[]}"#
        #expect(try await client.send(.put, "/v1/feeds/crm/friends/a", friend, headers: elsewhere).status == 201)
        #expect(try await client.send(.put, "/v1/feeds/crm/friends/b", friend, headers: elsewhere).status == 409)
        #expect(try await client.get("/v1/feeds/crm/friends/b").status == 404)
        #expect(try await client.send(.delete, "/v1/feeds/crm/friends/a", friend, headers: elsewhere).status == 409)
        #expect(try await client.get("/v1/feeds/crm/friends/a").status == 200)
        for bad: HTTPHeaders in [["Idempotency-Key": "a b"], ["Idempotency-Key": "k-2", "idempotency-key": "k-3"]] {
            #expect(try await client.send(.post, "/api/contacts", contact, headers: bad).status == 400)
        }
    }
}

extension AnswerTests {
    @Test func `an unknown route or method is answered with a problem`() throws {
        let response = APIServer.errorResponse(405, "Not \"here\".", Array("/api/contacts".utf8), false)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        let text = String(decoding: response.bytes, as: UTF8.self)
        #expect(
            text == #"{"title":"Method Not Allowed","status":405,"code":"method_not_allowed","detail":"Not \"here\"."}"#
        )
    }

    @Test func `an error is HTML for a browser and JSON for a program`() async throws {
        let client = try await APIClient.test {
            $0.errorPage = { status, sentence in
                ServerResponse(
                    status: status, headers: ["Content-Type": "text/html"], body: .bytes(Array(sentence.utf8)))
            }
        }
        func answer(_ headers: HTTPHeaders, _ query: [(name: String, value: String)] = []) async throws
            -> ServerResponse
        {
            guard case .route(let route, let parameters) = client.server.router.find(.get, ["v1", "places"]) else {
                throw RouteMissing(target: "/v1/places")
            }
            let request = ServerRequest(.get, path: ["v1", "places"], query: query, headers: headers)
            return try await route.respond(to: request, parameters: parameters)
        }
        let browser: HTTPHeaders = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
        let page = try await answer(browser)
        #expect(page.status == 401)
        #expect(page.headers["Content-Type"] == "text/html")
        #expect(page.headers["WWW-Authenticate"] == "Bearer")
        for accept: HTTPHeaders in [[:], ["Accept": "*/*"], ["Accept": "application/json"]] {
            #expect(try await answer(accept).headers["Content-Type"] == "application/problem+json")
        }
        var signedIn = browser
        signedIn["Authorization"] = "Bearer \(client.tokens["everything"] ?? "")"
        let wrong = try await answer(signedIn, [("limit", "0")])
        #expect(
            String(decoding: wrong.bytes, as: UTF8.self)
                == "The request has parameters that can't be used. limit must be a whole number from 1 to 10000. bbox is missing."
        )
    }

    @Test func `a write whose idempotency key can't be stored is rolled back`() async throws {
        let client = try await APIClient.test()
        try await Database.test.query("ALTER TABLE idempotency_keys ADD CONSTRAINT there_is_no_room CHECK (false)")
        let key: HTTPHeaders = ["Idempotency-Key": "k-1"]
        #expect(try await client.send(.post, "/api/contacts", contact, headers: key).status == 500)
        #expect(try await client.get("/api/contacts").at("meta", "total") == .number(0))
    }
}
