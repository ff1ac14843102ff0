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
        let answer = try await client.send(.put, "/v1/feeds/crm/friends/\(key)", friend)
        #expect(answer.status == 201)
        return Int(try answer.at("id")?.number ?? 0)
    }

    /// `1 Main St`: the streets whose questions are being asked again.
    private func asked() async throws -> [String] {
        try await Database.test.run { db in
            try db.query("SELECT street AS text FROM geocodes WHERE shadow_of IS NOT NULL ORDER BY street")
                .map { try $0.read("text") }
        }
    }

    @Test func `a rematch asks answers of the account's addresses again, and a dry run gives the price`() async throws {
        try await APIClient.serving { client in
            _ = try await put(client, "1 Main St")
            let second = try await put(client, "2 Main St")
            var other = client
            other.token = "other"
            _ = try await put(other, "3 Main St")
            try await Database.test.run { db in
                try db.locateAll()
                try db.query("UPDATE geocodes SET confidence = 0.5 WHERE street <> '2 Main St'")
                try db.query("UPDATE lanes SET price_per_1000_calls = 5, currency = 'USD', batch = 1")
            }
            let dry = try await client.send(.post, "/v1/rematch", #"{"below":0.8,"dry_run":true}"#)
            #expect(dry.status == 200)
            #expect(try dry.at("questions") == .number(1))
            #expect(try dry.at("asked") == .number(0))
            #expect(try dry.at("calls", "least") == .number(1))
            #expect(try dry.at("costs", "USD", "least") == .number(0.005))
            #expect(try dry.at("lanes", "0", "lane") == .text("gazetteer"))
            #expect(try await asked() == [])

            let body = #"{"below":0.8,"countries":["US"],"provider":"gazetteer","precision":"rooftop","limit":5}"#
            #expect(try await client.send(.post, "/v1/rematch", body).at("asked") == .number(1))
            #expect(try await asked() == ["1 Main St"])
            let again = try await client.send(.post, "/v1/rematch", body)
            #expect(try again.at("asked") == .number(0))
            #expect(try again.at("under_way") == .number(1))

            let friend = try await client.send(.post, "/v1/friends/\(second)/rematch")
            #expect(friend.status == 202)
            #expect(try friend.at("addresses") == .number(1))
            #expect(try await client.send(.post, "/v1/friends/\(second)/rematch").at("addresses") == .number(0))
            #expect(try await other.send(.post, "/v1/friends/\(second)/rematch").status == 404)
            #expect(try await asked() == ["1 Main St", "2 Main St"])
            // Their places have not changed.
            #expect(
                try await client.ask(.get, "/v1/friends/\(second)").at("addresses", "0", "status") == .text("located"))

            for wrong in [
                "{}", #"{"below":2}"#, #"{"all":true,"below":0.5}"#, #"{"precision":"house"}"#,
                #"{"status":"waiting"}"#,
                #"{"all":true,"chain":"nowhere"}"#, #"{"countries":["Atlantis"]}"#, #"{"all":true,"limit":0}"#,
            ] {
                #expect(try await client.send(.post, "/v1/rematch", wrong).status == 422, "\(wrong)")
            }
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
            let report = try await client.ask(.get, "/v1/chains/default/report")
            #expect(report.status == 200)
            #expect(try report.at("questions") == .number(4))
            func link(_ place: String) throws -> [Double?] {
                try ["asked", "resolved", "weak", "calls", "share", "cost"].map { name in
                    try report.at("links", place, name)?.number
                }
            }
            // One was located at once, two were called twice without success, and one could not be called.
            #expect(try link("0") == [3, 1, 0, 5, 1.0 / 3, nil])
            #expect(try link("1") == [3, 1, 1, 3, 2.0 / 3, 3])
            #expect(try report.at("links", "1", "currency") == .text("EUR"))
            #expect(try await client.ask(.get, "/v1/chains/nowhere/report").status == 404)
        }
    }
}
