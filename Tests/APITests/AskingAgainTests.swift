import DatabaseTesting
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Queue
import Testing

@testable import API
@testable import Contacts

/// Progress, reasons for waiting, and asking one address again.
@Suite(.database)
struct AskingAgainTests {
    private func put(_ feed: String, _ key: String, street: String, _ client: APIClient) async throws -> Double {
        let body = #"{"name":"Ada","addresses":[{"street":"\#(street)","city":"Reno","country":"US"}]}"#
        return try await client.send(.put, "/v1/feeds/\(feed)/friends/\(key)", body).at("addresses", "0", "id")?.number
            ?? 0
    }

    @Test func `the progress of a feed shows when it will be done and why it waits`() async throws {
        var client = try await APIClient.test()
        _ = try await put("crm", "a", street: "1 Main St", client)
        try await Database.test.run { db throws in
            try db.locateAll()
            try JobQueue().setLimits([#require(RateLimit(text: "1/s"))], of: "gazetteer", on: db)
            _ = try ProcessRegistry().register(.worker, name: "w", host: "h", pid: 1, lanes: ["gazetteer"], on: db)
            _ = try JobQueue().change("gazetteer", on: db) { $0.batch = 1 }
        }
        for number in 2...11 { _ = try await put("shop", "s\(number)", street: "\(number) Main St", client) }
        client.token = "reader"
        let done = try await client.get("/v1/progress?feed=crm").expect(has: [
            "addresses": 1, "done": true, "done_in_seconds": 0,
        ])
        #expect(try done.at("waits_for")?.list?.isEmpty == true)
        let waiting = try await client.get("/v1/progress?feed=shop").expect(has: [
            "done": false, "waits_for.0.lane": "gazetteer", "waits_for.0.why": "limits",
        ])
        let seconds = try waiting.at("done_in_seconds")?.number ?? 0
        #expect((8...11).contains(seconds))
        #expect(try await client.get("/v1/progress").at("addresses") == .number(11))
        try await Database.test.query("UPDATE lanes SET paused_at = now() WHERE name = 'gazetteer'")
        try await client.get("/v1/progress").expect(has: ["done_in_seconds": .null, "waits_for.0.why": "paused"])
        #expect(try await client.get("/v1/progress?feed=nobody").at("done") == .bool(true))
    }

    @Test func `asking why a friend waits does not change the ETag for a write`() async throws {
        var client = try await APIClient.test()
        _ = try await put("crm", "a", street: "1 Main St", client)
        client.token = "reader"
        let plain = try await client.get("/v1/feeds/crm/friends/a")
        let id = Int(try plain.at("id")?.number ?? 0)
        #expect(try plain.at("waits_for") == nil)
        let told = try await client.get("/v1/friends/\(id)?waits_for=true").expect(has: [
            "waits_for.0.lane": "gazetteer", "waits_for.0.why": "no worker",
        ])
        client.token = "everything"
        let tag = try #require(told.headers["ETag"])
        #expect(try await client.send(.post, "/v1/friends/\(id)/geocode", headers: ["If-Match": tag]).status == 202)
    }

    @Test func `an answered address is asked again and keeps its place meanwhile`() async throws {
        let client = try await APIClient.test()
        let address = Int(try await put("crm", "a", street: "1 Main St", client))
        let other = Int(try await put("crm", "b", street: "2 Main St", client))
        func again(_ id: Int) async throws -> Double? {
            try await client.send(.post, "/v1/addresses/\(id)/retry").at("addresses")?.number
        }
        try await Database.test.run { try $0.locateAll() }
        #expect(try await again(address) == 1)
        try await client.get("/v1/feeds/crm/friends/a").expect(has: ["addresses.0.status": "located"])
        let (jobs, shadows) = try await Database.test.run { db throws -> (Int, Int) in
            (
                try db.query("SELECT FROM jobs WHERE priority = 3").count,
                try db.query("SELECT FROM geocodes WHERE shadow_of IS NOT NULL").count
            )
        }
        #expect(jobs == 1 && shadows == 1)
        try await Database.test.query(
            """
            UPDATE geocodes
            SET status = 'failed', latitude = NULL, longitude = NULL, precision = NULL, reason = 'no answer'
            WHERE street = '2 Main St'
            """)
        #expect(try await again(other) == 1)
        #expect(try await client.get("/v1/feeds/crm/friends/b").at("addresses", "0", "status") == .text("waiting"))
        let stranger = client.with(token: "other")
        #expect(try await stranger.send(.post, "/v1/addresses/\(address)/retry").status == 404)
        #expect(try await client.send(.post, "/v1/addresses/\(other + 1000)/retry").status == 404)
    }

    @Test func `a plan shows the duration for contacts and its limit, and stores nothing`() async throws {
        let client = try await APIClient.test()
        _ = try await put("crm", "a", street: "1 Main St", client)
        try await Database.test.run { db throws in
            try JobQueue().setLimits([#require(RateLimit(text: "1/s"))], of: "gazetteer", on: db)
            _ = try JobQueue().change("gazetteer", on: db) {
                $0.batch = 1
                $0.price = Price(text: "5 EUR")
            }
        }
        let lines = (1...20).map {
            #"{"key":"k\#($0)","name":"","addresses":[{"street":"\#($0) Main St","city":"Reno","country":"US"}]}"#
        }
        let body = (lines + [lines[0].replacing("k1", with: "again"), "nonsense"]).joined(separator: "\n")
        let answer = try await client.send(.post, "/v1/plan?workers=2", body, type: "application/x-ndjson").expect(200)
        let counts = try ["contacts", "refused", "distinct", "known", "new", "workers"].map {
            try answer.at($0)?.number
        }
        #expect(counts == [21, 1, 20, 1, 19, 2])
        // This test's server has no provider, so the most is a call for each step.
        #expect(try answer.at("calls", "least") == .number(19))
        #expect((17...25).contains(try answer.at("seconds", "least")?.number ?? 0))
        try answer.expect(has: ["limited_by": "limits", "limited_in": "gazetteer", "costs.EUR.least": 0.095])
        #expect(try await client.get("/v1/progress").at("addresses") == .number(1))
        #expect(try await client.send(.post, "/v1/plan", "{}").status == 415)
    }

    @Test func `towns are suggested by the beginning of their names`() async throws {
        var client = try await APIClient.test()
        client.token = "reader"
        try await client.get("/v1/suggest?q=Hels", headers: ["Accept-Language": "fi"]).expect(has: [
            "data.0.name": "Helsinki", "data.0.country": "Suomi",
        ])
        let danish = try await client.get("/v1/suggest?q=hels&country=DK&limit=1")
        #expect(try danish.at("data")?.list?.count == 1)
        #expect(try danish.at("data", "0", "country_code") == .text("DK"))
        #expect(try await client.get("/v1/suggest?q=%20").at("data")?.list?.isEmpty == true)
        #expect(try await client.get("/v1/suggest").status == 400)
    }

    @Test func `nearby places are ordered by distance`() async throws {
        let client = try await APIClient.test()
        for number in 1...6 { _ = try await put("crm", "k\(number)", street: "\(number) Main St", client) }
        try await Database.test.run { db throws in
            try db.locateAll()
            // Two points across the date line, one near a pole, one on the other side of the Earth.
            let places = [(0.0, 179.9), (0.0, -179.95), (0.5, 179.0), (89.9, 10.0), (0.0, 0.5), (3.0, -170.0)]
            for (number, place) in places.enumerated() {
                try db.query(
                    "UPDATE geocodes SET latitude = \(place.0), longitude = \(place.1) WHERE street = \("\(number + 1) Main St")"
                )
            }
        }
        let answer = try await client.get("/v1/places?near=0,180")
        let features = try #require(try answer.at("features")?.list)
        let longitudes = try features.map { try $0.at(["geometry", "coordinates", "0"])?.number }
        #expect(longitudes == [-179.95, 179.9, 179.0, -170, 10, 0.5])
        let metres = try features.compactMap { try $0.at(["properties", "metres"])?.number }
        #expect(metres.count == 6 && metres == metres.sorted())
        #expect((5_500...5_600).contains(metres[0]))
        #expect(try answer.at("truncated") == .bool(false))
        let nearest = try await client.get("/v1/places?near=0,180&limit=2&add=reason")
        #expect(try nearest.at("features")?.list?.count == 2)
        #expect(try nearest.at("truncated") == .bool(true))
        for wrong in ["near=0,180&bbox=0,0,1,1", "near=x", "near=1", "limit=3"] {
            #expect(try await client.get("/v1/places?\(wrong)").status == 400, "\(wrong)")
        }
        let stranger = client.with(token: "other")
        #expect(try await stranger.get("/v1/places?near=0,180").at("features")?.list?.isEmpty == true)
    }
}
