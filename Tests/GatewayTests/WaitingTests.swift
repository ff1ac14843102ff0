import Access
import DatabaseTesting
import HTTP
import HTTPTesting
import JSON
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

@testable import API

/// Questions that need a call, in a lane that no worker of the test serves: the test itself answers.
@Suite(.database)
struct WaitingTests {
    private static let street = "/nominatim/search?q=12+Main+St,+Reno,+NV,+USA&format=json&limit=1"

    private static func kit(_ manners: [String: GeocodingManners] = [:]) async throws -> GatewayKit {
        try await Database.test.transaction { db in
            try JobQueue().addLane("far", by: nil, on: db)
            _ = try QuestionQueue().setChain("default", by: .user("test", on: "test"), on: db) { _ in
                Chain([Chain.Link("gazetteer"), Chain.Link("far")])
            }
        }
        return try await GatewayKit(tokens: manners)
    }

    private func waiting() async throws -> Int {
        try await Database.test.query("SELECT count(*) AS n FROM jobs WHERE priority = 3")[0].read("n")
    }

    private func answerAll() async throws {
        try await Database.test.run { db throws in
            try db.query("DELETE FROM jobs")
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = 39.5, longitude = -119.8, precision = 'rooftop', provider = 'far',
                    placemark = '{"thoroughfare":"Main St","subThoroughfare":"12","locality":"Reno","countryCode":"US"}',
                    confidence = 0.95, geocoded_at = now()
                """)
        }
    }

    @Test func `equal questions share one call, get its answer, and later ones the stored answer`() async throws {
        let kit = try await Self.kit(["app": GeocodingManners(wait: .seconds(30), late: .retry, left: .keep)])
        let target = "/t/\(try #require(kit.tokens["app"]))" + Self.street
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await kit.ask(target, isOverLoopback: false) } }
            try await pollUntil { try await waiting() == 1 }
            try await answerAll()
            for try await reply in group {
                #expect(
                    reply.status == 200 && (reply.source == "call" || reply.source == "cache"),
                    "\(reply.status) \(reply.text) \(reply.headers)")
                #expect(try reply.at("0", "display_name") == .text("12, Main St, Reno, United States"))
            }
        }
        let later = try await kit.ask(target, isOverLoopback: false)
        #expect(later.source == "cache" && later.headers["Waypost-Provider"] == "far")
        let asked: Int = try await Database.test.query("SELECT count(*) AS n FROM geocodes")[0].read("n")
        #expect(asked == 1)
    }

    @Test func `many requests at once with a token that was not used before are all answered`() async throws {
        let kit = try await Self.kit(["app": .usual])
        let target = "/t/\(try #require(kit.tokens["app"]))/nominatim/search?q=Reno&format=json"
        try await withThrowingTaskGroup { group in
            for _ in 0..<300 { group.addTask { try await kit.ask(target, isOverLoopback: false).status } }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `lookup finds a stored answer for the account that saw it, and for no other`() async throws {
        let kit = try await Self.kit(["app": .usual, "other": .usual])
        let target = Self.street + "&key="
        let first = try await kit.ask(target + (try #require(kit.tokens["app"])), isOverLoopback: false)
        #expect(first.source == "waiting")
        try await answerAll()
        let second = try await kit.ask(target + (try #require(kit.tokens["app"])), isOverLoopback: false)
        let id = try #require(try second.at("0", "osm_id")?.number)
        for (name, count) in [("app", 1), ("other", 0)] {
            let lookup = "/nominatim/lookup?format=json&osm_ids=N\(Int(id))&key=\(try #require(kit.tokens[name]))"
            #expect(try await kit.ask(lookup, isOverLoopback: false).json.list?.count == count, "\(name)")
        }
    }

    @Test func `a place found for one account is not shown to another`() async throws {
        let kit = try await Self.kit(["app": .usual, "other": GeocodingManners(wait: .zero, late: .retry, left: .keep)])
        let target = Self.street + "&key="
        _ = try await kit.ask(target + (try #require(kit.tokens["app"])), isOverLoopback: false)
        try await answerAll()
        try await Database.test.query(
            """
            UPDATE geocodes SET account = (SELECT account FROM tokens WHERE name = 'app'), pinned_at = now()
            """)
        for (name, source) in [("app", "cache"), ("app", "cache"), ("other", nil)] {
            let reply = try await kit.ask(target + (try #require(kit.tokens[name])), isOverLoopback: false)
            #expect(reply.source == source && reply.status == (source == nil ? 503 : 200), "\(name)")
            #expect(reply.text.contains("Main St") == (source != nil))
        }
    }

    @Test func `recent values are the newest ones, for a time`() {
        let clock = TestClock()
        let recent = RecentValues<Int, String>(most: 10, lifetime: .seconds(5), now: { clock.now })
        for key in 1...100 { recent[key] = "\(key)" }
        #expect(recent[100] == "100" && recent[91] == "91" && recent[80] == nil)
        recent[100] = nil
        #expect(recent[100] == nil)
        clock.advance(by: .seconds(4.9))
        #expect(recent[99] == "99")
        clock.advance(by: .seconds(0.1))
        #expect(recent[99] == nil)
    }

    @Test func `a file that waits keeps a question that its last client left`() async throws {
        let kit = try await Self.kit(["app": GeocodingManners(wait: .seconds(30), late: .coarse, left: .drop)])
        let target = "/t/\(try #require(kit.tokens["app"]))" + Self.street
        let asking = Task { try await kit.ask(target, isOverLoopback: false) }
        try await pollUntil { try await waiting() == 1 }
        try await Database.test.query(
            """
            INSERT INTO file_runs (account, digest, name, settings, file, contacts, refused, pinned, hashes)
            SELECT \(kit.account), sha256(''), '', '{}', '', 1, 0, 0, ARRAY[hash] FROM geocodes
            """)
        asking.cancel()
        _ = try? await asking.value
        let jobs = try await Database.test.query("SELECT priority FROM jobs").map {
            try $0.read("priority", as: Int.self)
        }
        #expect(jobs == [1])
    }

    @Test func `a client that closes its socket has left, and a client of HTTP 1.0 gets a whole body`() async throws {
        let kit = try await Self.kit(["app": GeocodingManners(wait: .seconds(30), late: .coarse, left: .drop)])
        let server = HTTPServer(router: kit.router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        defer { serving.cancel() }
        let number = try #require(await ports.first { _ in true })
        let start = "/t/\(try #require(kit.tokens["app"]))"
        let leaving = try RawConnection(to: number)
        await leaving.send(Array("GET \(start + Self.street) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        try await pollUntil { try await waiting() == 1 }
        leaving.close()
        try await pollUntil { try await Database.test.query("SELECT FROM geocodes").isEmpty }
        let old = try RawConnection(to: number)
        defer { old.close() }
        await old.send(Array("GET \(start)/nominatim/search?q=Reno&limit=1 HTTP/1.0\r\n\r\n".utf8))
        let answer = String(decoding: await old.allBytes(), as: UTF8.self)
        #expect(
            answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("]}]") && !answer.contains("chunked"), "\(answer)")
    }

    @Test func `a late answer is the town, or 503 with the time`() async throws {
        let kit = try await Self.kit([
            "coarse": GeocodingManners(wait: .zero, late: .coarse, left: .keep),
            "retry": GeocodingManners(wait: .zero, late: .retry, left: .keep),
        ])
        let coarse = try await kit.ask(
            Self.street + "&key=\(try #require(kit.tokens["coarse"]))", isOverLoopback: false)
        #expect(coarse.status == 200 && coarse.source == "waiting" && coarse.headers["Waypost-Weak"] == "true")
        #expect(try coarse.at("0", "addresstype") == .text("city"))
        let authorization: HTTPHeaders = ["Authorization": "Bearer \(try #require(kit.tokens["retry"]))"]
        for (door, type) in [
            (Self.street, "application/json; charset=utf-8"),
            ("/photon/api?q=12+Main+St,+Reno,+NV,+USA", "application/json"),
        ] {
            let retry = try await kit.ask(door, headers: authorization, isOverLoopback: false)
            #expect(retry.status == 503 && retry.type == type)
            #expect((retry.headers["Retry-After"].flatMap(Int.init) ?? 0) >= 1)
        }
        // A search while a person types is answered from our own data, and costs no call.
        try await Database.test.run { db throws in
            try db.query("DELETE FROM jobs")
            try db.query("DELETE FROM geocodes")
        }
        _ = try await kit.ask("/photon/api?q=12+Main+St,+Reno,+NV,+USA&lat=39.5&lon=-119.8", headers: authorization)
        #expect(try await waiting() == 0)
    }

    @Test(arguments: [GeocodingManners.Left.keep, .drop])
    func `the question of a caller who left goes behind other work, or is dropped`(left: GeocodingManners.Left)
        async throws
    {
        let kit = try await Self.kit(["app": GeocodingManners(wait: .seconds(30), late: .coarse, left: left)])
        let target = "/t/\(try #require(kit.tokens["app"]))" + Self.street
        let asking = Task { try await kit.ask(target, isOverLoopback: false) }
        let staying = Task { try await kit.ask(target, isOverLoopback: false) }
        try await pollUntil { try await waiting() == 1 }
        asking.cancel()
        _ = try? await asking.value
        // Another caller still waits for it, or asks it.
        try await pollUntil { try await waiting() == 1 }
        staying.cancel()
        _ = try? await staying.value
        let jobs = try await Database.test.query("SELECT priority FROM jobs").map {
            try $0.read("priority", as: Int.self)
        }
        #expect(jobs == (left == .keep ? [0] : []))
        let questions: Int = try await Database.test.query("SELECT count(*) AS n FROM geocodes")[0].read("n")
        #expect(questions == jobs.count)
    }

    @Test func `a token to geocode may do nothing else, and has small letters and digits only`() async throws {
        let kit = try await Self.kit(["app": .usual])
        let token = try #require(kit.tokens["app"])
        #expect(token.wholeMatch(of: #/[a-z0-9]+/#) != nil)
        let authorization: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        for target in ["/v1/friends", "/v1/lanes", "/v1/geocode", "/api/contacts"] {
            #expect(
                try await kit.ask(target, target == "/v1/geocode" ? .post : .get, headers: authorization).status == 403)
        }
        for (target, status) in [
            ("/t/\(token)/photon/api?q=Reno", 200),
            ("/t/wp1x\(token.dropFirst(4))/photon/api?q=Reno", token.hasPrefix("wp1x") ? 200 : 401),
            ("/t/x/nominatim/search?q=Reno", 401), ("/nominatim/search?q=Reno&key=\(token)", 200),
        ] {
            #expect(try await kit.ask(target, isOverLoopback: false).status == status, "\(target)")
        }
        let refused = try await kit.ask("/nominatim/search?q=Reno&format=json", isOverLoopback: false)
        #expect(refused.status == 401 && refused.text.hasPrefix(#"{"error":{"code":401"#))
    }

    @Test func `a page of another site may ask without a token, but spends no call and sees no stored answer`()
        async throws
    {
        let kit = try await Self.kit()
        _ = try await kit.ask(
            "/nominatim/search?q=1+Secret+Rd,+Reno,+NV,+USA&format=json", headers: ["Origin": "https://a.example"])
        let asked: Int = try await Database.test.query("SELECT count(*) AS n FROM geocodes")[0].read("n")
        #expect(asked == 0)
        let preflight = try await kit.ask(
            Self.street, .options,
            headers: ["Origin": "https://a.example", "Access-Control-Request-Headers": "user-agent"])
        #expect(preflight.status == 200 && preflight.headers["Access-Control-Allow-Headers"] == "user-agent")
        let rebound = try await kit.ask(Self.street, headers: ["Host": "evil.example"])
        #expect(rebound.status == 403)
    }
}
