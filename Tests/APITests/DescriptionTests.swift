import Access
import Contacts
import DatabaseTesting
import Formats
import Foundation
import HTTP
import JSON
import Postgres
import Queue
import Shapes
import Testing

@testable import API

/// `APIClient.ask` also checks every reply of the other tests against the description.
@Suite(.database)
struct DescriptionTests {
    private let description: Description

    init() throws {
        description = try Description.shared.get()
    }

    @Test func `the description and the router have the same routes`() async throws {
        let routes = try await APIClient.test().server.router.routes
        #expect(Set(routes.map { "\($0.method.rawValue) \($0.pattern)" }) == description.operations)
        #expect(routes.count == description.operations.count)
    }

    @Test func `each route returns what the description promises`() async throws {
        let client = try await APIClient.test()
        let contact = #"{"first_name":"Ada","last_name":"Lovelace"}"#
        let id = try await client.send(.post, "/api/contacts", contact).at("data", "id")?.number ?? 0
        let fix = #"{"lat":60,"lng":24,"timestamp":1700000000}"#
        let place = #"{"contact_id":\#(Int(id)),"street":"1 Main St","city":"Reno","country":"US"}"#
        let address = try await client.send(.post, "/api/addresses", place).at("data", "id")?.number ?? 0
        try await Database.test.run { try $0.locateAll() }

        let doubts = (1...3).map { #"{"street":"\#($0) Elm St","city":"Reno","country":"US"}"# }.joined(separator: ",")
        _ = try await client.send(.put, "/v1/feeds/crm/friends/doubt", #"{"name":"Eve","addresses":[\#(doubts)]}"#)
        let questions = try await Database.test.run { db in try (1...3).map { try db.doubt(street: "\($0) Elm St") } }
        let worker = try await Database.test.run { db in
            try ProcessRegistry().register(.worker, name: "eve", host: "here", pid: 1, on: db)
        }
        // The second job is dead.
        let jobs = try await Database.test.transaction { db in
            _ = try JobQueue().change("gazetteer", on: db) { $0.batch = 1 }
            let jobs = try JobQueue().enqueue([9_001, 9_002, 9_003], in: "gazetteer", on: db).map(\.id)
            try db.query(
                """
                WITH gone AS (DELETE FROM jobs WHERE id = \(jobs[1]) RETURNING *)
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason)
                SELECT id, lane, priority, 5, 0, subjects, 'no such place' FROM gone
                """)
            return jobs
        }
        let spare = try await Database.test.run { db in
            try TokenStore().create(
                account: ContactStore().openAccount(named: "default", on: db), name: "spare", scopes: [.read], on: db
            ).token
        }
        try await addSink()
        _ = try await client.send(.post, "/v1/trackers/ada/start", #"{"since":"2023-11-14T00:00:00Z"}"#)

        // Routes that stop or delete something come last.
        let routes = client.server.router.routes.sorted { $0.place < $1.place }
        for route in routes where route.pattern != "/v1/friends/{id}" || route.method != .delete {
            let number =
                switch route.pattern {
                case "/api/addresses/{id}", "/v1/addresses/{id}/retry": address
                case "/v1/jobs/{id}/cancel": Double(jobs[0])
                case "/v1/jobs/{id}/discard": Double(jobs[1])
                case let pattern where pattern.hasPrefix("/v1/jobs/"): Double(jobs[2])
                case "/v1/review/{id}/reject": Double(questions[1])
                case "/v1/review/{id}/pin": Double(questions[2])
                case let pattern where pattern.hasPrefix("/v1/review/"): Double(questions[0])
                case let pattern where pattern.hasPrefix("/v1/workers/"): Double(worker)
                case "/v1/tokens/{id}": Double(spare.id)
                case let pattern where pattern.hasPrefix("/v1/geocode/files/"): 1.0
                default: id
                }
            var target = route.pattern.replacing("{id}", with: "\(Int(number))").replacing(
                "chains/{name}", with: "chains/default"
            )
            .replacing("{name}", with: "gazetteer")
            .replacing("{user}", with: "ada").replacing("{feed}", with: "crm").replacing("{key}", with: "a")
            var (body, type) = (nil as String?, "application/json")
            switch (route.method, route.pattern) {
            case (.get, "/v1/places"): target += "?bbox=-180,-90,180,90"
            case (.get, "/v1/suggest"): target += "?q=Hels"
            case (.post, "/v1/plan"):
                (body, type) = (#"{"key":"a","addresses":[{"city":"Reno"}]}"#, "application/x-ndjson")
            case (.post, "/v1/geocode/file"), (.post, "/v1/plan/file"):
                (body, type) = ("name,city\nAda,Reno\n", "application/octet-stream")
                if route.pattern == "/v1/geocode/file" { target += "?run=true" }
            case (.get, "/v1/geocode/files/{id}/result"), (.get, "/v1/geocode/files/{id}/rows"):
                target += "?partial=true"
            case (.get, "/v1/reverse"): target += "?latitude=1&longitude=-1.5"
            case (.put, "/v1/friends"): (target, body, type) = (target + "?feed=a", "{}\n", "application/x-ndjson")
            case (.post, "/v1/friends/batch"): body = #"{"ids":[7,\#(Int(id))],"keys":[{"feed":"crm","key":"a"}]}"#
            case (.put, "/v1/feeds/{feed}/friends/{key}"): body = #"{"name":"Ada"}"#
            case (.post, "/v1/trackers/{user}/start"): body = #"{"radius":60,"since":"2023-11-14T00:00:00Z"}"#
            case (.post, "/v1/trackers/{user}/locations"): body = fix
            case (.put, "/v1/trackers/{user}/sign-in"): body = signIn
            case (.post, "/v1/owntracks"):
                (target, body) = (target + "?u=ada", #"{"_type":"location","lat":60,"lon":24,"tst":1700000100}"#)
            case (.post, "/v1/review/{id}/pin"): body = #"{"latitude":39.5,"longitude":-119.8}"#
            case (.post, "/v1/jobs/retry"), (.post, "/v1/jobs/cancel"), (.post, "/v1/jobs/discard"),
                (.post, "/v1/cache/expire"), (.post, "/v1/cache/purge"), (.post, "/v1/rematch"):
                body = #"{"all":true,"dry_run":true}"#
            case (.put, "/v1/chains/{name}"): body = #"{"links":[{"lane":"gazetteer"}]}"#
            case (.post, "/v1/tokens"): body = #"{"name":"map","scopes":["read"]}"#
            case (.post, "/v1/lanes"): body = #"{"name":"spare"}"#
            case (.patch, "/v1/lanes/{name}"): body = #"{"batch":3}"#
            case (.put, "/v1/lanes/{name}/limits"): body = #"{"limits":[{"calls":20,"per_seconds":1}]}"#
            case (.post, "/v1/overland"): body = #"{"locations":[]}"#
            case (.get, "/v1/osmand"), (.post, "/v1/osmand"): target += "?id=ada&lat=60&lon=24&timestamp=1700000200"
            case (.post, "/api/contacts"), (.put, "/api/contacts/{id}"):
                body = contact
            case (.post, "/v1/geocode"), (.post, "/api/addresses"), (.put, "/api/addresses/{id}"),
                (.post, "/api/contacts/{id}/addresses"):
                body = place
            // This would delete the contact before its addresses are used.
            case (.delete, "/api/contacts/{id}"): continue
            default: break
            }
            let answer = try await client.send(route.method, target, body, type: type)
            #expect((200..<300).contains(answer.status), "\(target): \(answer.text)")
        }
        #expect(try await client.send(.delete, "/api/contacts/\(Int(id))").status == 200)
        let second = try await client.send(.post, "/api/contacts", contact).at("data", "id")?.number ?? 0
        #expect(try await client.send(.delete, "/v1/friends/\(Int(second))").status == 204)
    }

    @Test func `each column that add may name is described, also a new one`() throws {
        for path in [
            ["Address", "properties"],
            ["Places", "properties", "features", "items", "properties", "properties", "properties"],
        ] {
            let members = try description.root.at(["components", "schemas"] + path)?.object
            for column in AddedColumns.choices { #expect(members?[column] != nil, "\(path) \(column)") }
        }
        let pattern = AddedColumns.pattern(["moon", "sun"])
        #expect("moon,sun".range(of: pattern, options: .regularExpression) != nil)
        #expect("star".range(of: pattern, options: .regularExpression) == nil)
    }

    @Test func `each parameter, body and reply has an example that fits its schema`() {
        #expect(description.problemsOfExamples() == [])
    }

    @Test(arguments: [
        (#""example":10}"#, #""example":0}"#), (#""lat":60.17,"#, #""lat":97,"#),
        (#""example":"-updated_at""#, #""summary":"""#),
    ])
    func `an example that does not fit its schema is detected`(_ good: String, _ bad: String) throws {
        let text = String(decoding: APIServer.openAPI, as: UTF8.self)
        #expect(text.contains(good))
        let changed = Description(root: try JSONValue(parsing: Array(text.replacing(good, with: bad).utf8)))
        #expect(!changed.problemsOfExamples().isEmpty)
    }

    @Test func `each example of a query or a body is read without a mistake`() async throws {
        func text(_ field: Field) throws -> String {
            let json = try JSONValue(parsing: Array(field.schema.example.text.utf8))
            return json.text ?? field.schema.example.text
        }
        for route in try await APIClient.test().server.routes {
            if let type = route.input as? any QueryInput.Type {
                // Alone, because some parameters exclude each other.
                let required = try type.query.filter(\.isRequired).map { ($0.name, try text($0)) }
                for field in type.query where !field.isRequired && field.name != "allow_empty" {
                    var reader = RequestReader(query: try required + [(field.name, text(field))])
                    _ = type.init(&reader)
                    let needsOther = route.pattern == "/v1/places" && !["bbox", "near"].contains(field.name)
                    if !needsOther {
                        #expect(throws: Never.self, "\(route.pattern) \(field.name)") { try reader.finish() }
                    }
                }
            }
            if let type = route.input as? any BodyInput.Type {
                let example = try #require(type.body?.contents.first?.schema.example.text)
                var reader = try RequestReader(Array(example.utf8))
                _ = type.init(&reader)
                if !type.allowsOthers { reader.refuseOthers() }
                #expect(throws: Never.self, "\(route.pattern) \(example)") { try reader.finish() }
            }
        }
    }

    @Test func `a reply that does not fit its schema is detected`() throws {
        func problems(_ body: String, status: Int = 200, type: String = "application/json") -> [String] {
            let answer = APIClient.Answer(
                status: status, headers: ["Content-Type": type, "ETag": "x"], bytes: Array(body.utf8),
                pattern: "/v1/queue")
            return description.problems(with: answer, to: .get)
        }
        let good = #"{"ready":1,"later":0,"held":0,"dead":0,"calls_last_minute":0,"shut_lanes":["a"]}"#
        #expect(problems(good) == [])
        #expect(problems(good, status: 201) != [])
        #expect(problems(good, type: "text/plain") != [])
        #expect(problems(good.replacing("1", with: "-1")) != [])
        #expect(problems(good.replacing("1", with: "1.5")) != [])
        #expect(problems(good.replacing("1", with: "null")) != [])
        #expect(problems(good.replacing(#""a""#, with: "7")) != [])
        #expect(problems(good.replacing("ready", with: "steady")).count == 2)
        #expect(problems("nonsense") != [])
    }
}

extension Router.Route {
    fileprivate var place: Int {
        method == .put && pattern == "/v1/feeds/{feed}/friends/{key}"
            ? -1
            : method == .delete && !pattern.hasSuffix("/sign-in")
                ? 3 : method == .delete ? 2 : pattern.hasSuffix("/stop") ? 1 : 0
    }
}
