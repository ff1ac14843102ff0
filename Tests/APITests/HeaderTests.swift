import Access
import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Processes
import Queue
import Testing

@testable import API

/// The headers of every reply, and the members of every problem.
@Suite(.database)
struct HeaderTests {
    @Test func `each reply has a request id and the account's remaining share`() async throws {
        try await APIClient.serving { client in
            let tooMuch = try await client.get("/v1/friends?limit=0")
            let answers = [
                try await client.get("/v1/friends"), tooMuch, try await client.get("/v1/friends/77"),
                try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#),
            ]
            #expect(answers.map(\.status) == [200, 400, 404, 201])
            for answer in answers {
                #expect(answer.headers["RateLimit-Policy"] == "\"account\";q=6;qu=\"concurrent-requests\"")
                #expect(answer.headers["RateLimit"] == "\"account\";r=6")
            }
            let others = [try await client.get("/livez"), try await client.get("/v1/nothing")]
            let ids = (answers + others).map { $0.headers.values("Request-Id") }
            #expect(ids.allSatisfy { $0.count == 1 })
            #expect(Set(ids).count == 6)
        }
    }

    @Test func `a failure has the same id in the log, the body and the header`() async throws {
        let lines = Locked<[String]>([])
        let client = try await APIClient.test(
            log: Log(format: .logfmt) { line in lines.withLock { $0.append(line) } },
            change: { $0.examine = { throw RouteMissing(target: "a fault") } })
        let answer = try await client.get("/v1/doctor").expect(500)
        let id = try #require(answer.headers["Request-Id"])
        #expect(answer.text.contains(id))
        #expect(lines.withLock { $0 }.contains { $0.contains(id) })
    }

    @Test func `a replayed reply is marked with Idempotent-Replayed`() async throws {
        let client = try await APIClient.test()
        let key: HTTPHeaders = ["Idempotency-Key": "k1"]
        let first = try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#, headers: key)
        let second = try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#, headers: key)
        #expect(first.headers["Idempotent-Replayed"] == nil)
        #expect(second.headers["Idempotent-Replayed"] == "true")
        #expect(first.bytes == second.bytes)
        #expect(first.headers["Request-Id"] != second.headers["Request-Id"])
    }

    @Test func `each problem has a code`() async throws {
        var client = try await APIClient.test()
        func code(_ answer: APIClient.Answer) throws -> String? { try answer.at("code")?.text }
        #expect(try await code(client.get("/v1/friends?limit=0")) == "invalid_parameters")
        #expect(try await code(client.get("/v1/friends/77")) == "not_found")
        #expect(try await code(client.send(.post, "/v1/geocode", "{")) == "malformed_body")
        #expect(try await code(client.send(.post, "/v1/geocode", "{}")) == "invalid_fields")
        #expect(try await code(client.get("/v1/reverse?latitude=91&longitude=0")) == "out_of_range")
        client.token = "phone"
        #expect(try await code(client.get("/v1/friends")) == "insufficient_scope")
        client.token = "stolen"
        #expect(try await code(client.get("/v1/friends")) == "invalid_token")
        client.token = nil
        #expect(try await code(client.get("/v1/friends")) == "unauthenticated")
        for status in [400, 405, 408, 413, 414, 431, 503, 505] {
            let answer = APIServer.errorResponse(status, "No.", Array("/v1/friends".utf8), false)
            #expect(try JSONValue(parsing: answer.bytes).at(["code"]) != nil, "\(status)")
        }
    }

    @Test func `the docs and the description list every code`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let docs = try String(contentsOf: folder.appending(path: "docs/api.md"), encoding: .utf8)
        let known = try Description.shared.get().root
            .at(["components", "schemas", "Problem", "properties", "code", "enum"])?.list?.compactMap(\.text)
        #expect(known == ProblemCode.allCases.map(\.rawValue))
        for code in ProblemCode.allCases { #expect(docs.contains("`\(code.rawValue)`"), "\(code.rawValue)") }
    }

    @Test func `the list of countries may be cached for a day`() async throws {
        let client = try await APIClient.test()
        let answer = try await client.get("/api/countries")
        #expect(answer.headers["Cache-Control"] == "private, max-age=86400")
        let tag = try #require(answer.headers["ETag"])
        let again = try await client.get("/api/countries", headers: ["If-None-Match": tag])
        #expect(again.status == 304 && again.headers["Cache-Control"] == "private, max-age=86400")
        #expect(try await client.get("/api/contacts").headers["Cache-Control"] == "private, no-cache")
    }

    @Test(arguments: [
        "/v1/reverse?latitude=91&longitude=0", "/v1/reverse?latitude=0&longitude=-180.5",
        "/v1/places?bbox=0,50,1,40", "/v1/places?bbox=0,40,1,91", "/v1/places?near=91,0",
    ])
    func `coordinates that are not on Earth get 422`(target: String) async throws {
        let answer = try await APIClient.test().get(target)
        try answer.expect(422, has: ["code": "out_of_range"])
    }

    @Test func `the log has no names of other accounts' tokens`() async throws {
        let client = try await APIClient.test()
        let other = try await Database.test.run { db in
            let tokens = TokenStore()
            let account: Int = try db.query("SELECT id FROM accounts WHERE name = 'other'")[0].read("id")
            let own: Int = try db.query("SELECT id FROM accounts WHERE name = 'default'")[0].read("id")
            let admin = try tokens.create(
                account: account, name: "secret-admin", scopes: [.admin], expires: nil, by: .user("ops", on: "host"),
                on: db)
            _ = try tokens.create(
                account: own, name: "own-token", scopes: [.read], expires: nil, by: .user("ops", on: "host"), on: db)
            return admin
        }
        var stranger = client
        stranger.token = other.text
        #expect(try await stranger.send(.post, "/v1/lanes/gazetteer/pause").status == 200)
        #expect(try await client.send(.post, "/v1/lanes/gazetteer/resume").status == 200)
        let log = try await client.get("/v1/log")
        #expect(!log.text.contains("secret-admin"))
        #expect(log.text.contains("own-token") && log.text.contains("everything"))
        #expect(try log.at("data", "1", "who", "name") == .text("token \(other.token.id)"))
        // A name can't be guessed either.
        #expect(try await client.get("/v1/log?who=secret-admin").at("data")?.list?.isEmpty == true)
        #expect(try await stranger.get("/v1/log").text.contains("secret-admin"))
    }
}
