import DatabaseTesting
import HTTP
import JSON
import Postgres
import Queue
import Testing

@testable import API

/// Rematches over the API, and reports of chains, at the socket.
@Suite(.database)
struct RematchRouteTests {
    private func put(_ client: APIClient, _ street: String) async throws -> Int {
        let friend = #"{"name":"Ada","addresses":[{"street":"\#(street)","city":"Reno","country":"US"}]}"#
        let key = street.replacing(" ", with: "-")
        let answer = try await client.send(.put, "/v1/feeds/crm/friends/\(key)", friend).expect(201)
        return Int(try answer.at("id")?.number ?? 0)
    }

    /// `1 Main St`: the streets whose questions are being asked again.
    private func asked() async throws -> [String] {
        try await Database.test.query("SELECT street AS text FROM geocodes WHERE shadow_of IS NOT NULL ORDER BY street")
            .map { try $0.read("text") }
    }

    @Test func `a rematch asks answers of the account's addresses again, and a dry run gives the price`() async throws {
        try await APIClient.serving { client in
            _ = try await put(client, "1 Main St")
            let second = try await put(client, "2 Main St")
            let other = client.with(token: "other")
            _ = try await put(other, "3 Main St")
            try await Database.test.run { db in
                try db.locateAll()
                try db.query("UPDATE geocodes SET confidence = 0.5 WHERE street <> '2 Main St'")
                try db.query("UPDATE lanes SET price_per_1000_calls = 5, currency = 'USD', batch = 1")
            }
            try await client.send(.post, "/v1/rematch", #"{"below":0.8,"dry_run":true}"#).expect(
                200,
                has: [
                    "questions": 1, "asked": 0, "calls.least": 1, "costs.USD.least": 0.005, "lanes.0.lane": "gazetteer",
                ])
            #expect(try await asked() == [])

            let body = #"{"below":0.8,"countries":["US"],"provider":"gazetteer","precision":"rooftop","limit":5}"#
            #expect(try await client.send(.post, "/v1/rematch", body).at("asked") == .number(1))
            #expect(try await asked() == ["1 Main St"])
            try await client.send(.post, "/v1/rematch", body).expect(has: ["asked": 0, "under_way": 1])

            try await client.send(.post, "/v1/friends/\(second)/rematch").expect(202, has: ["addresses": 1])
            #expect(try await client.send(.post, "/v1/friends/\(second)/rematch").at("addresses") == .number(0))
            #expect(try await other.send(.post, "/v1/friends/\(second)/rematch").status == 404)
            #expect(try await asked() == ["1 Main St", "2 Main St"])
            // Their places have not changed.
            try await client.get("/v1/friends/\(second)").expect(has: ["addresses.0.status": "located"])

            try await client.refuse(
                .post, "/v1/rematch", with: 422,
                [
                    "{}", #"{"below":2}"#, #"{"all":true,"below":0.5}"#, #"{"precision":"house"}"#,
                    #"{"status":"waiting"}"#,
                    #"{"all":true,"chain":"nowhere"}"#, #"{"countries":["Atlantis"]}"#, #"{"all":true,"limit":0}"#,
                ])
            let acts = try await Database.test.run { db in
                try AuditLog().acts(limit: 10, on: db).map { "\($0.verb) \($0.after["questions"] ?? "-")" }
            }
            #expect(acts == ["cache.rematch 1", "cache.rematch 1"])
        }
    }

    @Test func `a chain's report shows what each lane found and what it cost`() async throws {
        try await APIClient.serving { client in
            for number in 1...4 { _ = try await put(client, "\(number) Main St") }
            try await Database.test.run { db in
                try db.locateAll()
                try db.query(
                    """
                    INSERT INTO lanes (name, batch, price_per_1000_calls, currency) VALUES ('nominatim', 1, 1000, 'EUR')
                    """)
                try db.query(
                    """
                    UPDATE chains SET plan = jsonb_set(plan, '{links}', '[{"lane":"gazetteer"},{"lane":"nominatim"}]')
                    WHERE name = 'default'
                    """)
                try db.query(
                    """
                    UPDATE geocodes
                    SET link = 1, provider = 'nominatim', is_weak = street = '2 Main St',
                        trail = '[{"lane": "gazetteer", "step": null, "result": "knows no such place"},
                                  {"lane": "gazetteer", "step": "free form", "result": "found city at 0.3"}]'
                    WHERE street IN ('1 Main St', '2 Main St')
                    """)
                try db.query(
                    """
                    UPDATE geocodes
                    SET link = 1, status = 'not_found', latitude = NULL, longitude = NULL, precision = NULL,
                        trail = '[{"lane": "gazetteer", "step": null, "result": "could not be called: paused"}]'
                    WHERE street = '3 Main St'
                    """)
            }
            let report = try await client.get("/v1/chains/default/report").expect(200, has: ["questions": 4])
            func link(_ place: String) throws -> [Double?] {
                try ["asked", "resolved", "weak", "calls", "share", "cost"].map { name in
                    try report.at("links", place, name)?.number
                }
            }
            // One was located at once, two were called twice without success, and one could not be called.
            #expect(try link("0") == [3, 1, 0, 5, 1.0 / 3, nil])
            #expect(try link("1") == [3, 1, 1, 3, 2.0 / 3, 3])
            #expect(try report.at("links", "1", "currency") == .text("EUR"))
            #expect(try await client.get("/v1/chains/nowhere/report").status == 404)
        }
    }
}
