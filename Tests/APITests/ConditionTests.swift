import DatabaseTesting
import Foundation
import HTTP
import JSON
import Polling
import Postgres
import Testing

@testable import API

/// `If-Match` and `If-None-Match` on every writing route. If a lock is missing in the code, a test here hangs until its
/// limit.
@Suite(.database)
struct ConditionTests {
    private static let tag = ETag(state: "abc")

    @Test(arguments: [
        ("\"abc\"", true), ("\"abc-1f\"", true), ("*", true), (" * ", true), ("\"x\", \"abc\"", true),
        (",\"x\"\t,, \"abc\" ,", true), ("\"a,b\",\"abc\"", true), ("W/\"abc\"", false), ("\"abcd\"", false),
        ("\"\"", false),
        ("\"x\", W/\"abc\"", false), ("\"ABC\"", false),
    ])
    func `If-Match compares strongly and accepts the ETag of any form of the resource`(
        header: String, permits: Bool
    ) throws {
        let conditions = try Conditions(["If-Match": header])
        #expect(conditions.permit(writeTo: .there(Self.tag)) == permits)
        #expect(!conditions.permit(writeTo: .missing))
        #expect(conditions.permit(writeTo: .there(nil)) == header.contains("*"))
    }

    @Test(arguments: [
        ("\"abc\"", false), ("W/\"abc\"", false), ("\"abc-1f\"", false), ("*", false), ("\"x\"", true),
        ("\"x\",\"y\"", true),
    ])
    func `If-None-Match compares weakly`(header: String, permits: Bool) throws {
        let conditions = try Conditions(["If-None-Match": header])
        #expect(conditions.permit(writeTo: .there(Self.tag)) == permits)
        #expect(conditions.permit(writeTo: .missing))
        #expect(conditions.permit(writeTo: .there(nil)) == (header != "*"))
    }

    @Test(arguments: ["", "abc", "\"abc", "abc\"", "\"a\" \"b\"", "w/\"abc\"", "*, \"abc\"", "**", ",", "\"a\"b"])
    func `a condition that can't be parsed is refused, not ignored`(header: String) throws {
        for name in ["If-Match", "If-None-Match"] {
            #expect(throws: RequestError.self) { try Conditions([name: header]) }
        }
    }

    @Test func `headers with one name form one list, and both conditions must hold`() throws {
        var headers: HTTPHeaders = ["If-Match": "\"x\"", "if-match": "\"abc\""]
        #expect(try Conditions(headers).permit(writeTo: .there(Self.tag)))
        headers.append("If-None-Match", "\"abc\"")
        #expect(try !Conditions(headers).permit(writeTo: .there(Self.tag)))
    }

    @Test func `every writing route answers 412 to an outdated ETag`() async throws {
        try await APIClient.serving { client in
            let things = try await Things(client)
            let routes = client.server.router.routes.filter { $0.method != .get }
            #expect(routes.count > 15)
            for route in routes {
                let (target, body, type) = things.request(of: route)
                for stale: HTTPHeaders in [["If-Match": "\"stale\""], ["If-None-Match": "*"]] {
                    var headers = stale
                    headers["Content-Type"] = type
                    let answer = try await client.send(route.method, target, body, headers: headers).expect(412)
                    if route.pattern.hasPrefix("/v1/") {
                        #expect(answer.headers["Content-Type"] == "application/problem+json")
                    }
                }
            }
            #expect(try await things.state(client) == things.before)
        }
    }

    @Test func `a write with a current ETag succeeds and returns the new ETag`() async throws {
        try await APIClient.serving { client in
            let things = try await Things(client)
            for (method, target, read) in [
                (.put, "/api/contacts/{id}", "/api/contacts/\(things.contact)"),
                (.put, "/api/addresses/{id}", "/api/addresses/\(things.address)"),
                (.post, "/v1/trackers/{user}/start", "/v1/trackers/ada"),
                (.post, "/v1/trackers/{user}/stop", "/v1/trackers/ada"),
                (.put, "/v1/trackers/{user}/sign-in", "/v1/trackers/ada"),
                (.delete, "/v1/trackers/{user}/sign-in", "/v1/trackers/ada"),
                (.post, "/v1/friends/{id}/geocode", "/v1/friends/\(things.contact)"),
                (.post, "/v1/friends/{id}/retry", "/v1/friends/\(things.contact)?add=all"),
                (.post, "/v1/friends/{id}/rematch", "/v1/friends/\(things.contact)?add=all"),
                (.delete, "/api/addresses/{id}", "/api/addresses/\(things.address)"),
                (.delete, "/v1/friends/{id}", "/v1/friends/\(things.contact)?add=all"),
                (.delete, "/v1/trackers/{user}", "/v1/trackers/ada"),
            ] as [(ServerRequest.Method, String, String)] {
                let route = try #require(
                    client.server.router.routes.first { $0.method == method && $0.pattern == target })
                let (target, body, type) = things.request(of: route)
                let tag = try #require(try await client.get(read).headers["ETag"])
                let answer = try await client.send(
                    method, target, body, headers: ["If-Match": "\"x\", \(tag)", "Content-Type": type])
                #expect((200..<300).contains(answer.status), "\(method) \(target): \(answer.text)")
                guard let new = answer.headers["ETag"] else { continue }
                let now = try await client.get(#require(answer.headers["Content-Location"]))
                #expect(now.headers["ETag"] == new)
                #expect(now.bytes == answer.bytes)
            }
        }
    }

    @Test func `a created resource is found at its Location, with the same body and ETag`() async throws {
        try await APIClient.serving { client in
            let contact = try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#)
            let id = try contact.at("data", "id")?.number.map { Int($0) } ?? 0
            func check(_ answer: APIClient.Answer) async throws {
                let found = try await client.get(#require(answer.headers["Location"]))
                #expect(found.bytes == answer.bytes)
                #expect(found.headers["ETag"] == answer.headers["ETag"])
            }
            try await check(contact)
            try await check(client.send(.post, "/api/addresses", #"{"contact_id":\#(id),"city":"Reno"}"#))
        }
    }

    @Test func `GET with If-Match answers 412 for another ETag`() async throws {
        let client = try await APIClient.test()
        #expect(try await client.get("/v1/friends", headers: ["If-Match": "\"x\""]).status == 412)
        let tag = try #require(try await client.get("/v1/friends").headers["ETag"])
        #expect(try await client.get("/v1/friends", headers: ["If-Match": tag]).status == 200)
        #expect(try await client.get("/v1/friends", headers: ["If-Match": "W/\(tag)"]).status == 412)
        #expect(try await client.get("/v1/friends", headers: ["If-Match": "x"]).status == 400)
    }

    @Test func `a repeated idempotency key replays the success although its ETag is outdated`() async throws {
        let client = try await APIClient.test()
        let added = try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#)
        let (target, tag) = try (#require(added.headers["Location"]), #require(added.headers["ETag"]))
        let headers: HTTPHeaders = ["If-Match": tag, "Idempotency-Key": "k"]
        let first = try await client.send(.put, target, #"{"first_name":"Eve"}"#, headers: headers)
        let again = try await client.send(.put, target, #"{"first_name":"Eve"}"#, headers: headers)
        #expect(first.status == 200)
        #expect(again.status == 200)
        #expect(again.headers["ETag"] == first.headers["ETag"])
    }

    @Test func `a condition on a missing resource gives 404, or 412 where the write would create it`() async throws {
        let client = try await APIClient.test()
        for target in [
            "/v1/friends/7", "/api/contacts/7", "/api/addresses/7", "/v1/trackers/eve",
        ] {
            #expect(try await client.send(.delete, target, headers: ["If-Match": "\"x\""]).status == 404, "\(target)")
        }
        try await client.send(.post, "/v1/trackers/eve/start", headers: ["If-Match": "*"]).expect(412)
        #expect(try await client.send(.post, "/v1/trackers/eve/start", headers: ["If-None-Match": "*"]).status == 200)
        #expect(try await client.send(.post, "/v1/trackers/eve/start", headers: ["If-None-Match": "*"]).status == 412)
    }

    @Test(arguments: ["/api/contacts/{id}", "/api/addresses/{id}", "/v1/trackers/{user}/start"])
    func `one of several writers with the same ETag wins`(pattern: String) async throws {
        try await APIClient.serving { client in
            let things = try await Things(client)
            let route = try #require(
                client.server.router.routes.first {
                    $0.pattern == pattern && ($0.method == .put || $0.method == .post)
                })
            let (target, body, type) = things.request(of: route)
            let read = pattern.hasSuffix("start") ? "/v1/trackers/ada" : target
            let tag = try #require(try await client.get(read).headers["ETag"])
            let table = pattern.hasSuffix("start") ? "trackers" : "friends"
            let statuses = try await meeting(at: "SELECT FROM \(table) FOR UPDATE", 3) { writer in
                let own = body?.replacing("Lovelace", with: "L\(writer)").replacing("1 Main", with: "\(writer) Main")
                    .replacing("60", with: "7\(writer)")
                return try await client.send(
                    route.method, target, own, headers: ["If-Match": tag, "Content-Type": type]
                ).status
            }
            #expect(statuses.sorted() == [200, 412, 412])
        }
    }

    @Test func `one of several concurrent creations of a tracker wins`() async throws {
        try await APIClient.serving { client in
            // No writer can insert before the lock is released, and reading stays possible.
            let statuses = try await meeting(at: "LOCK TABLE trackers IN SHARE MODE", 3) { _ in
                try await client.send(.post, "/v1/trackers/eve/start", headers: ["If-None-Match": "*"]).status
            }
            #expect(statuses.sorted() == [200, 412, 412])
        }
    }
}

/// Starts writers while another session holds a lock that they need. Releases it when all of them wait. Returns their
/// results.
func meeting<Outcome: Sendable>(
    at lock: String, _ writers: Int, _ write: @escaping @Sendable (_ writer: Int) async throws -> Outcome
) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
        let (isHeld, everybodyWaits) = (Rendezvous(of: 2), Rendezvous(of: 2))
        group.addTask {
            try await Database.test.transaction { db in
                try db.run(script: lock)
                isHeld.arriveAndWait()
                everybodyWaits.arriveAndWait()
            }
            return nil
        }
        await isHeld.arrive()
        for writer in 0..<writers { group.addTask { try await write(writer) } }
        try await pollUntil {
            try await Database.test.query(
                """
                SELECT FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """
            ).count >= writers
        }
        await everybodyWaits.arrive()
        return try await group.reduce(into: []) { if let outcome = $1 { $0.append(outcome) } }
    }
}

/// A contact with an address, and a tracker.
struct Things: Sendable {
    let contact: Int
    let address: Int
    private(set) var before: [String: String] = [:]

    init(_ client: APIClient) async throws {
        let contact =
            try await client.send(.post, "/api/contacts", #"{"first_name":"Ada","last_name":"Lovelace"}"#)
            .at("data", "id")?.number.map { Int($0) } ?? 0
        let place = #"{"contact_id":\#(contact),"street":"1 Main St","city":"Reno","country":"US"}"#
        address = try await client.send(.post, "/api/addresses", place).at("data", "id")?.number.map { Int($0) } ?? 0
        self.contact = contact
        try await addSink()
        _ = try await client.send(.post, "/v1/trackers/ada/start", #"{"since":"2023-11-14T00:00:00Z"}"#)
        _ = try await client.send(.put, "/v1/feeds/crm/friends/a", #"{"name":"Bob"}"#)
        before = try await state(client)
    }

    /// The ETags of all lists.
    func state(_ client: APIClient) async throws -> [String: String] {
        var tags: [String: String] = [:]
        for target in ["/v1/friends", "/api/contacts", "/api/addresses", "/v1/trackers"] {
            tags[target] = try await client.get(target).headers["ETag"]
        }
        return tags
    }

    /// A valid request of this route.
    func request(of route: Router.Route) -> (target: String, body: String?, type: String) {
        let number = route.pattern.contains("/api/addresses") ? address : contact
        let target = route.pattern.replacing("{id}", with: "\(number)").replacing("{user}", with: "ada")
            .replacing("{feed}", with: "crm").replacing("{key}", with: "a").replacing("{name}", with: "gazetteer")
        let json = "application/json"
        let name = #"{"first_name":"Ada","last_name":"Lovelace""#
        switch (route.method, route.pattern) {
        case (.put, "/v1/chains/{name}"):
            return (target.replacing("gazetteer", with: "default"), #"{"links":[{"lane":"gazetteer"}]}"#, json)
        case (.post, "/v1/friends/batch"): return (target, #"{"ids":[1]}"#, json)
        case (.put, "/v1/feeds/{feed}/friends/{key}"): return (target, #"{"name":"Ada"}"#, json)
        case (.put, "/v1/friends"): return (target + "?feed=a", #"{"key":"1","name":"Eve"}"#, "application/x-ndjson")
        case (.post, "/v1/trackers/{user}/start"): return (target, #"{"radius":60}"#, json)
        case (.post, "/v1/trackers/{user}/locations"):
            return (target, #"{"lat":60,"lng":24,"timestamp":1700000000}"#, json)
        case (.put, "/v1/trackers/{user}/sign-in"): return (target, signIn, json)
        case (.post, "/v1/owntracks"):
            return (target + "?u=ada", #"{"_type":"location","lat":60,"lon":24,"tst":1700000100}"#, json)
        case (.post, "/v1/overland"): return (target, #"{"locations":[]}"#, json)
        case (.post, "/v1/osmand"): return (target + "?id=ada&lat=60&lon=24&timestamp=1700000200", nil, json)
        case (.post, "/api/contacts"), (.put, "/api/contacts/{id}"):
            return (target, name + "}", json)
        case (.post, "/v1/geocode"), (.post, "/api/addresses"), (.put, "/api/addresses/{id}"):
            return (
                target, #"{"contact_id":\#(contact),"street":"1 Main St","city":"Reno","country":"US","name":"h"}"#,
                json
            )
        default: return (target, nil, json)
        }
    }
}
