import Access
import Cluster
import DatabaseTesting
import Foundation
import HTTP
import HTTPTesting
import JSON
import Polling
import Postgres
import Processes
import Providers
import Questions
import Queue
import Testing

/// Requests that are passed on to a Nominatim server.
@Suite(.database)
struct RelayTests {
    private static func kit(_ left: GeocodingManners.Left = .keep, wait: Duration = .seconds(30)) async throws
        -> GatewayKit
    {
        try await Database.test.transaction { db in
            try JobQueue().prepareLane("nominatim", batch: 3, limits: [], attribution: "", on: db)
        }
        return try await GatewayKit(tokens: [
            "app": GeocodingManners(wait: wait, late: .coarse, left: left, relays: true)
        ])
    }

    private func base(_ kit: GatewayKit) throws -> String { "/t/\(try #require(kit.tokens["app"]))/nominatim" }

    /// Runs a worker with this server while `body` runs, and returns the targets of its requests.
    private func withServer(
        _ answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer, _ body: () async throws -> Void
    ) async throws -> [String] {
        let targets = Locked<[String]>([])
        let server = try ScriptedServer { request in
            targets.withLock { $0.append(request.target) }
            return answer(request)
        }
        defer { server.stop() }
        try await withWorker(of: server.url, body)
        return targets.withLock { $0 }
    }

    private func withWorker(of server: String, _ body: () async throws -> Void) async throws {
        let client = HTTPClient(HTTPClient.Options(userAgent: "test"))
        let provider = NominatimProvider(server: try #require(HTTPURL(server)), language: "en", http: client)
        let worker = Worker(
            name: "ada", database: try Database.test, works: [GeocodingWork(provider)], registry: ProcessRegistry(),
            callsAtOnce: 4, log: Log(format: .logfmt) { _ in })
        let working = Task { try await worker.run {} }
        try await body()
        working.cancel()
        try await working.value
        await client.close()
    }

    private func count(_ table: SQL) async throws -> Int {
        try await Database.test.query("SELECT count(*) AS n FROM \(part: table)")[0].read("n")
    }

    @Test func `each request is sent once, and every reply is the server's, in any format`() async throws {
        let kit = try await Self.kit()
        let replies = [
            "json": #"[{"place_id":1,"extratags":{"wikidata":"Q1844"},"name":"Vaduz"}]"#,
            "xml": #"<?xml version="1.0" encoding="UTF-8" ?><searchresults><place/></searchresults>"#,
        ]
        let targets = try await withServer {
            .json(replies[$0.query["format"] ?? ""] ?? "", type: "text/plain")
        } _: {
            for (format, type) in [("json", "application/json; charset=utf-8"), ("xml", "text/xml; charset=utf-8")] {
                let target = try base(kit) + "/search?q=Vaduz++%26&format=\(format)&key=abc&_=1"
                try await withThrowingTaskGroup { group in
                    for number in 1...20 {
                        let headers: HTTPHeaders = number % 2 == 0 ? ["Accept-Language": "fi"] : [:]
                        group.addTask { try await kit.ask(target, headers: headers, isOverLoopback: false) }
                    }
                    for try await reply in group {
                        #expect(reply.status == 200 && reply.text == replies[format], "\(reply.status) \(reply.text)")
                        #expect(reply.type == type && reply.headers["Waypost-Provider"] == "nominatim")
                    }
                }
            }
            // The same in another order, and later.
            let later = try base(kit) + "/search.php?format=json&q=Vaduz+%26"
            #expect(try await kit.ask(later, isOverLoopback: false).source == "cache")
        }
        #expect(
            targets.sorted()
                == ["json", "xml"].flatMap { format in
                    ["&q=Vaduz%20%26", "&q=Vaduz%20%26&accept-language=fi"].map { "/search?format=\(format)\($0)" }
                }.sorted())
        #expect(try await [count("jobs"), count("geocodes")] == [0, 0])
    }

    @Test func `a refusal of the server has the door's form, and what the door refuses costs no call`() async throws {
        let kit = try await Self.kit()
        let targets = try await withServer { _ in
            .status(400)
        } _: {
            for target in ["/lookup?osm_ids=R1&format=json", "/reverse?lat=a&lon=9&format=json"] {
                let reply = try await kit.ask(base(kit) + target, isOverLoopback: false)
                #expect(try reply.status == 400 && reply.at("error", "code") == .number(400), "\(reply.text)")
            }
        }
        #expect(targets.count == 1)
    }

    @Test(arguments: [GeocodingManners.Left.keep, .drop])
    func `a request whose clients left goes behind other work, or is dropped`(left: GeocodingManners.Left) async throws
    {
        let kit = try await Self.kit(left)
        let target = try base(kit) + "/search?q=Vaduz&format=json"
        let asking = Task { try await kit.ask(target, isOverLoopback: false) }
        try await pollUntil { try await count("jobs WHERE priority = 3") == 1 }
        asking.cancel()
        _ = try? await asking.value
        #expect(try await count("jobs WHERE priority = 0") == (left == .keep ? 1 : 0))
        #expect(try await count("relayed_replies") == (left == .keep ? 1 : 0))
    }

    @Test func `a late reply is 503 with the time, a lost job is asked again, and old replies end`() async throws {
        let kit = try await Self.kit(wait: .zero)
        let target = try base(kit) + "/search?q=Vaduz&format=json"
        for round in 1...3 {
            let reply = try await kit.ask(target, isOverLoopback: false)
            #expect(reply.status == 503 && (reply.headers["Retry-After"].flatMap(Int.init) ?? 0) >= 1)
            #expect(try await [count("jobs"), count("relayed_replies")] == [1, 1], "\(round)")
            if round == 2 { try await Database.test.query("DELETE FROM jobs") }
        }
        try await Database.test.run { db throws in
            try db.query("DELETE FROM jobs")
            try db.query("UPDATE relayed_replies SET reply = '{}', expires_at = now() - interval '1 s'")
        }
        #expect(try await kit.ask(target, isOverLoopback: false).status == 503)
        #expect(try await count("jobs") == 1)
        #expect(try await Database.test.run { try RelayStore().expire(100, on: $0) } == 0)
        try await Database.test.query("DELETE FROM jobs")
        #expect(try await Database.test.run { try RelayStore().expire(100, on: $0) } == 1)
    }

    @Test func `without a server, or in a paused lane, the client comes back after a minute`() async throws {
        let kit = try await GatewayKit(tokens: [
            "app": GeocodingManners(wait: .zero, late: .coarse, left: .keep, relays: true)
        ])
        let target = try base(kit) + "/search?q=Vaduz&format=json"
        let missing = try await kit.ask(target, isOverLoopback: false)
        #expect(missing.status == 503 && missing.text.contains("WAYPOST_NOMINATIM_URL"), "\(missing.text)")
        #expect(missing.headers["Retry-After"] == "60")
        try await Database.test.transaction { db in
            try JobQueue().prepareLane("nominatim", batch: 1, limits: [], attribution: "", on: db)
            try db.query("UPDATE lanes SET paused_at = now(), paused_because = 'test' WHERE name = 'nominatim'")
        }
        #expect(try await kit.ask(target, isOverLoopback: false).headers["Retry-After"] == "60")
    }

    @Test(.enabled(if: real != nil))
    func `a real server's replies come back as they are`() async throws {
        let real = try #require(Self.real)
        let kit = try await Self.kit()
        let client = HTTPClient(HTTPClient.Options(userAgent: "test"))
        try await withWorker(of: real) {
            for recorded in Recorded.all where recorded.type.contains("json") || recorded.type.contains("xml") {
                let reply = try await kit.ask(base(kit) + recorded.target, isOverLoopback: false)
                let own = try await client.send(HTTPRequest(.get, try #require(HTTPURL(real + recorded.target))))
                #expect(reply.status == own.status, "\(recorded.target)")
                // The words of a refusal are ours.
                guard own.status == 200 else { continue }
                let text = String(decoding: own.body, as: UTF8.self)
                #expect(reply.text.withoutTimes == text.withoutTimes, "\(recorded.target)")
            }
        }
        await client.close()
    }

    private static let real = ProcessInfo.processInfo.environment["WAYPOST_NOMINATIM_URL"]
}

extension String {
    /// Without what differs between two equal requests in XML.
    fileprivate var withoutTimes: String {
        replacing(#/(timestamp|querystring|more_url)="[^"]*"/#, with: "")
    }
}
