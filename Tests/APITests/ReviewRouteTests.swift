import Access
import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Queue
import Testing

@testable import API

/// The review over the API, at the socket.
@Suite(.database)
struct ReviewRouteTests {
    /// Adds a friend whose address needs review, with two candidates. Returns the question.
    private func doubt(_ client: APIClient, street: String = "1 Main St") async throws -> Int {
        let friend = #"{"name":"Ada","addresses":[{"street":"\#(street)","city":"Reno","country":"US"}]}"#
        let key = street.replacing(" ", with: "-")
        #expect(try await client.send(.put, "/v1/feeds/crm/friends/\(key)", friend).status == 201)
        return try await Database.test.run { try $0.doubt(street: street) }
    }

    /// The whole row of a question, and the JSON of its friend.
    private func state(_ id: Int) async throws -> String {
        try await Database.test.query("SELECT geocodes::text AS text FROM geocodes WHERE id = \(id)")[0].read("text")
    }

    @Test func `a question to review shows its address, its candidates and their differences`() async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            let list = try await client.get("/v1/review").expect(has: [
                "data.0.id": .number(Double(id)), "data.0.address.street": "1 Main St", "next_after": .null,
            ])
            let shown = try await client.get("/v1/review/\(id)")
            #expect(shown.bytes == Array(try #require(list.text.jsonOfFirst).utf8))
            try shown.expect(has: [
                "candidates.0.latitude": 39.5, "candidates.0.compared.house_number": "same",
                "candidates.1.compared.house_number": "different", "candidates.1.compared.city": "same",
            ])
            #expect(try await client.get("/v1/review?after=\(id)").at("data", "0") == nil)
        }
    }

    @Test func `pages of the review list reach every question once`() async throws {
        try await APIClient.serving { client in
            var ids: [Int] = []
            for number in 1...3 { ids.append(try await doubt(client, street: "\(number) Main St")) }
            let seen = try await client.items("/v1/review?limit=2").map { $0.object?["id"]?.number }
            #expect(seen == ids.sorted().map(Double.init))
        }
    }

    @Test(arguments: ["accept", "reject", "pin"])
    func `an undone decision restores the question`(verb: String) async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            let before = try await state(id)
            let shown = try await client.get("/v1/review/\(id)")
            let body =
                switch verb {
                case "accept": #"{"candidate":2}"#
                case "pin": #"{"latitude":39.7,"longitude":-119.9}"#
                default: nil as String?
                }
            let decided = try await client.send(.post, "/v1/review/\(id)/\(verb)", body).expect(
                200, has: ["status": .text(verb == "reject" ? "not_found" : "located"), "is_pinned": true])
            if verb == "accept" { #expect(try decided.at("place", "latitude") == .number(39.6)) }
            #expect(try await client.get("/v1/review").at("data", "0") == nil)

            let undone = try await client.send(.post, "/v1/review/\(id)/undo").expect(200)
            #expect(undone.bytes == shown.bytes)
            #expect(try await state(id) == before)
            #expect(try await client.send(.post, "/v1/review/\(id)/undo").status == 409, "once is all")
            let acts = try await Database.test.run { try AuditLog().acts(limit: 9, on: $0) }
            #expect(acts.map(\.verb) == ["review.undo", "review.\(verb)"])
            #expect(acts.allSatisfy { $0.target == "\(id)" && !"\($0.before) \($0.after)".contains("39.") })
        }
    }

    @Test func `decisions are undone one by one, the last one first`() async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            let pin = #"{"latitude":39.7,"longitude":-119.9}"#
            #expect(try await client.send(.post, "/v1/review/\(id)/accept").status == 200)
            #expect(try await client.send(.post, "/v1/review/\(id)/pin", pin).status == 200)
            try await client.send(.post, "/v1/review/\(id)/undo").expect(has: ["place.latitude": 39.5])
            try await client.send(.post, "/v1/review/\(id)/undo").expect(has: ["status": "needs_review"])
        }
    }

    @Test func `a decision is not undone after its question has a new answer`() async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            #expect(try await client.send(.post, "/v1/review/\(id)/accept").status == 200)
            try await Database.test.query(
                "UPDATE geocodes SET pinned_at = NULL, expires_at = now() + interval '1 day' WHERE id = \(id)")
            let before = try await state(id)
            let undone = try await client.send(.post, "/v1/review/\(id)/undo").expect(409)
            #expect(undone.text.contains("has a new answer since the decision"))
            #expect(try await state(id) == before)
        }
    }

    @Test func `an undone pin on a waiting question enqueues it again`() async throws {
        try await APIClient.serving { client in
            let friend = #"{"name":"Ada","addresses":[{"street":"7 Elm St","city":"Reno","country":"US"}]}"#
            _ = try await client.send(.put, "/v1/feeds/crm/friends/elm", friend)
            let id = try await Database.test.query("SELECT id FROM geocodes")[0].read("id", as: Int.self)
            let pin = #"{"latitude":39.7,"longitude":-119.9}"#
            #expect(try await client.send(.post, "/v1/review/\(id)/pin", pin).status == 200)
            try await client.send(.post, "/v1/review/\(id)/undo").expect(has: ["status": "waiting"])
            #expect(try await Database.test.query("SELECT FROM unqueued_geocodes WHERE geocode = \(id)").count > 0)
        }
    }

    @Test func `deleting a question deletes its decisions`() async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            #expect(try await client.send(.post, "/v1/review/\(id)/reject").status == 200)
            try await Database.test.run { db throws in
                #expect(try rows("SELECT FROM decisions", on: db).count == 1)
                try db.run(script: "DELETE FROM addresses; DELETE FROM geocodes")
                #expect(try rows("SELECT FROM decisions", on: db).isEmpty)
            }
        }
    }

    @Test func `questions of another account get 404`() async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            let text = try await Database.test.run { db in
                try TokenStore().create(
                    account: db.query("SELECT id FROM accounts WHERE name = 'other'")[0].read("id"), name: "boss",
                    scopes: Set(AccessScope.allCases).subtracting([.geocode]), on: db
                ).text
            }
            let other = client.with(token: text)
            #expect(try await other.get("/v1/review").at("data", "0") == nil)
            #expect(try await other.get("/v1/review/\(id)").status == 404)
            for (verb, body) in [
                ("accept", nil), ("reject", nil), ("undo", nil), ("pin", #"{"latitude":1,"longitude":1}"#),
            ] as [(String, String?)] {
                #expect(try await other.send(.post, "/v1/review/\(id)/\(verb)", body).status == 404, "\(verb)")
            }
            // The account sees its own spelling of an address that both accounts have.
            let same = #"{"name":"Bob","addresses":[{"street":"1 MAIN ST","city":"reno","country":"US"}]}"#
            #expect(try await other.send(.put, "/v1/feeds/crm/friends/b", same).status == 201)
            try await other.get("/v1/review/\(id)").expect(has: ["address.street": "1 MAIN ST"])
            #expect(try await client.get("/v1/review/\(id)").at("address", "street") == .text("1 Main St"))
            // Row-level security refuses it too, whatever the statement.
            let admin = try Database.test(as: "waypost_admin")
            try await admin.run { db throws in
                #expect(try rows("SELECT street FROM addresses", on: db).isEmpty)
            }
            await admin.close()
        }
    }

    @Test func `a decision that is not possible is refused with the reason`() async throws {
        try await APIClient.serving { client in
            let id = try await doubt(client)
            let missing = try await client.send(.post, "/v1/review/\(id)/accept", #"{"candidate":3}"#).expect(409)
            #expect(missing.text.contains("has 2"))
            #expect(try await client.send(.post, "/v1/review/\(id)/accept", #"{"candidate":0}"#).status == 422)
            try await client.send(.post, "/v1/review/\(id)/pin", #"{"latitude":91,"longitude":0}"#).expect(422)
            #expect(try await client.send(.post, "/v1/review/\(id)/pin", "{}").status == 422)
            #expect(try await client.send(.post, "/v1/review/\(id)/undo").status == 409)
            #expect(try await client.send(.post, "/v1/review/\(id)/reject").status == 200)
            let again = try await client.send(.post, "/v1/review/\(id)/reject").expect(409)
            #expect(again.text.contains("needs no review"))
            #expect(try await client.send(.post, "/v1/review/999/reject").status == 404)
        }
    }
}

extension String {
    /// The only item of a list `{"data":[…],…}`.
    fileprivate var jsonOfFirst: String? {
        guard let start = firstRange(of: "{\"data\":["), let end = firstRange(of: "],\"next_after\"") else {
            return nil
        }
        return String(self[start.upperBound..<end.lowerBound])
    }
}
