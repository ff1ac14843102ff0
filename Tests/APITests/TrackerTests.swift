import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Testing

@testable import API

@Suite(.database)
struct TrackerTests {
    private let earlier = #"{"since":"2023-11-14T00:00:00Z"}"#

    private func fix(_ time: Int, lat: Double = 60.17) -> String {
        #"{"lat":\#(lat),"lng":24.94,"accuracy":5,"timestamp":\#(1_700_000_000 + time)}"#
    }

    private func tracking() async throws -> APIClient {
        let client = try await APIClient.test()
        #expect(try await client.send(.post, "/v1/trackers/ada/start", earlier).status == 200)
        return client
    }

    @Test func `a tracker is started, takes fixes, and shows the user's position`() async throws {
        let client = try await APIClient.test()
        #expect(try await client.get("/v1/trackers/ada").status == 404)
        #expect(try await client.get("/v1/trackers/ada/current").status == 404)
        try await client.send(.post, "/v1/trackers/ada/start", earlier).expect(has: ["tracking": true, "radius": 50])
        try await client.send(.post, "/v1/trackers/bob/start", #"{"since":"2999-01-01T00:00:00Z"}"#).expect(422)
        #expect(try await client.get("/v1/trackers/ada/current").json == .null)

        let list = "[\(fix(60)), \(fix(0)), \(fix(120, lat: 60.18)), \(fix(0))]"
        try await client.send(.post, "/v1/trackers/ada/locations", list).expect(has: ["taken": 4])
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", list).at("repeated") == .number(4))
        let current = try await client.get("/v1/trackers/ada/current")
        #expect(current.text == #"{"lat":60.18,"lng":24.94,"accuracy":5.0,"timestamp":"2023-11-14T22:15:20.000Z"}"#)
        let locations = try await client.get("/v1/trackers/ada/locations").expect(has: ["data.0.wait_time": 60])
        #expect(try locations.at("data")?.list?.count == 2)
        #expect(try await client.get("/v1/trackers").at("data", "0", "user") == .text("ada"))
    }

    @Test func `one fix, a list and a stream store the same rows`() async throws {
        let client = try await APIClient.test()
        let fixes = (0..<30).map { fix($0 * 10, lat: 60 + Double($0 / 7) / 100) }
        for (user, order) in [("one", fixes), ("list", fixes.reversed()), ("stream", fixes)] {
            _ = try await client.send(.post, "/v1/trackers/\(user)/start", earlier)
            let path = "/v1/trackers/\(user)/locations"
            switch user {
            case "one": for fix in order { _ = try await client.send(.post, path, fix) }
            case "list": _ = try await client.send(.post, path, "[" + order.joined(separator: ",") + "]")
            default:
                let lines = order.joined(separator: "\n")
                _ = try await client.send(.post, path, lines, type: "application/x-ndjson")
            }
        }
        func shown(_ user: String) async throws -> [String] {
            let data = try await client.get("/v1/trackers/\(user)/locations").at("data")?.list ?? []
            return try data.map { "\(try $0.at(["timestamp"]) ?? .null) \(try $0.at(["wait_time"]) ?? .null)" }
        }
        let expected = try await shown("one")
        #expect(expected.count == 5)
        #expect(try await shown("list") == expected)
        #expect(try await shown("stream") == expected)
    }

    @Test func `while tracking is off, a fix is refused and nothing is stored`() async throws {
        let client = try await tracking()
        _ = try await client.send(.post, "/v1/trackers/ada/locations", fix(0))
        #expect(try await client.send(.post, "/v1/trackers/ada/stop").at("tracking") == .bool(false))
        let null = #"{"lat":0,"lng":0,"timestamp":1700000001}"#
        try await client.refuse(
            .post, "/v1/trackers/ada/locations", with: 409,
            [fix(10), "[\(fix(20)),\(fix(30))]", null, "[\(null)]", "[]"])
        #expect(try await client.get("/v1/osmand?id=ada&lat=60&lon=24").status == 409)
        #expect(try await Database.test.run { try rows("SELECT FROM fixes", on: $0).count } == 1)
        #expect(try await client.send(.post, "/v1/trackers/nobody/stop").status == 404)
        for body in [fix(0), null] {
            #expect(try await client.send(.post, "/v1/trackers/nobody/locations", body).status == 404)
        }
    }

    @Test func `an impossible fix is refused with its reason, and the others are stored`() async throws {
        let client = try await tracking()
        let list = """
            [\(fix(0)), {"lat":0,"lng":0,"timestamp":1700000001}, {"lat":91,"lng":0,"timestamp":1700000001},
             {"lat":60,"lng":24,"timestamp":0}, 7, {"lat":60,"lng":24,"timestamp":"tomorrow"}]
            """
        let answer = try await client.send(.post, "/v1/trackers/ada/locations", list).expect(has: [
            "taken": 1, "refused": 5,
        ])
        #expect(try answer.at("refusals")?.list?.compactMap { try $0.at(["index"])?.number } == [1, 2, 3, 4, 5])
        #expect(
            try answer.at("refusals", "0", "reason")
                == .text("The fix is at latitude 0, longitude 0, which phones report when they don't know."))
        let alone = try await client.send(.post, "/v1/trackers/ada/locations", #"{"lat":95,"lng":0,"timestamp":1}"#)
            .expect(422)
        #expect(!alone.text.contains("95"))
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", "{").status == 400)
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", "x", type: "text/plain").status == 415)
    }

    @Test func `a phone's token may send but not read`() async throws {
        var client = try await tracking()
        client.token = "phone"
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", fix(0)).status == 200)
        for path in ["", "/current", "/locations", "/track.gpx", "/track.geojson"] {
            #expect(try await client.get("/v1/trackers/ada\(path)").status == 403)
        }
        #expect(try await client.get("/v1/trackers").status == 403)
        #expect(try await client.get("/v1/friends").status == 403)
        client.token = "reader"
        #expect(try await client.get("/v1/trackers/ada/current").status == 403)
        client.token = "map"
        #expect(try await client.get("/v1/trackers/ada/current").status == 200)
        #expect(try await client.send(.post, "/v1/trackers/ada/stop").status == 403)
    }

    @Test func `an account sees only its own users`() async throws {
        var client = try await tracking()
        _ = try await client.send(.post, "/v1/trackers/ada/locations", fix(0))
        client.token = "other"
        #expect(try await client.get("/v1/trackers").at("data")?.list?.isEmpty == true)
        #expect(try await client.get("/v1/trackers/ada/current").status == 404)
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", fix(5)).status == 404)
        #expect(try await client.send(.delete, "/v1/trackers/ada").status == 404)
        // In another account, the same name is another user.
        _ = try await client.send(.post, "/v1/trackers/ada/start", earlier)
        #expect(try await client.get("/v1/trackers/ada/current").json == .null)
    }

    @Test func `pages of locations continue after the last one until the end`() async throws {
        let client = try await tracking()
        let fixes = (0..<7).map { fix($0 * 600, lat: 60 + Double($0)) }
        _ = try await client.send(.post, "/v1/trackers/ada/locations", "[" + fixes.joined(separator: ",") + "]")
        var found: [Double] = []
        var next = ""
        repeat {
            let page = try await client.get("/v1/trackers/ada/locations?limit=3\(next)")
            found += try page.at("data")?.list?.compactMap { try $0.at(["lat"])?.number } ?? []
            next = try page.at("next_after")?.text.map { "&after=\($0)" } ?? ""
        } while !next.isEmpty
        #expect(found == (0..<7).map { 60 + Double($0) })
        let some = try await client.get(
            "/v1/trackers/ada/locations?from=2023-11-14T22:23:20Z&until=2023-11-14T22:43:20Z")
        #expect(try some.at("data")?.list?.count == 2)
        #expect(try await client.get("/v1/trackers/ada/locations?from=yesterday").status == 400)
        #expect(try await client.get("/v1/trackers/ada/locations?after=x").status == 400)
    }

    @Test func `a track of many pages is exported whole as GeoJSON and GPX`() async throws {
        let client = try await tracking()
        let fixes = (0..<2_500).map { fix($0 * 100, lat: 10 + Double($0) / 100) } + [fix(249_960, lat: 34.99)]
        let lines = fixes.joined(separator: "\n")
        try await client.send(.post, "/v1/trackers/ada/locations", lines, type: "application/x-ndjson").expect(has: [
            "taken": 2_501
        ])

        let geoJSON = try await client.get("/v1/trackers/ada/track.geojson")
        let features = try geoJSON.at("features")?.list ?? []
        #expect(features.count == 2_500)
        #expect(
            try features.last?.at(["geometry", "coordinates", "1"])?.number.map { Int(($0 * 100).rounded()) } == 3_499)
        #expect(try features.last?.at(["properties", "wait_time"]) == .number(60))

        let gpx = try await client.get("/v1/trackers/ada/track.gpx?until=2023-11-14T22:15:00Z")
        #expect(
            gpx.text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1">
                <trk><trkseg>
                <trkpt lat="10.0" lon="24.94"><time>2023-11-14T22:13:20.000Z</time></trkpt>
                </trkseg></trk>
                </gpx>

                """)
    }

    @Test func `erasing a tracker leaves no row`() async throws {
        let client = try await tracking()
        _ = try await client.send(.post, "/v1/trackers/ada/locations", "[\(fix(0)),\(fix(10))]")
        #expect(try await client.send(.delete, "/v1/trackers/ada").text == #"{"fixes":2,"locations":1}"#)
        #expect(try await client.get("/v1/trackers/ada").status == 404)
        #expect(try await Database.test.run { try rows("SELECT FROM fixes", on: $0).count } == 0)
    }

    @Test func `a query of OsmAnd, a form of Traccar, and a batch of Overland are accepted`() async throws {
        let client = try await tracking()
        #expect(try await client.get("/v1/osmand?id=ada&lat=60.1&lon=24&timestamp=1700000000&hdop=1").status == 200)
        let form = "id=ada&lat=60.2&lon=24&timestamp=1700000600&batt=80+%25"
        let type = "application/x-www-form-urlencoded"
        #expect(try await client.send(.post, "/v1/osmand", form, type: type).status == 200)
        let json = """
            {"location":{"timestamp":"2023-11-14T22:33:20Z","coords":{"latitude":60.3,"longitude":24}},"device_id":"ada"}
            """
        #expect(try await client.send(.post, "/v1/osmand", json).status == 200)
        let batch = """
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[24,60.4]},
             "properties":{"timestamp":"2023-11-14T22:43:20Z","device_id":"ada"}}]}
            """
        #expect(try await client.send(.post, "/v1/overland", batch).text == #"{"result":"ok"}"#)
        let own = #"{"_type":"location","tid":"xx","lat":60.5,"lon":24,"tst":1700002400}"#
        #expect(try await client.send(.post, "/v1/owntracks", own, headers: ["X-Limit-U": "ada"]).text == "[]")
        #expect(try await client.send(.post, "/v1/owntracks", #"{"_type":"lwt"}"#).text == "[]")
        #expect(try await client.send(.post, "/v1/owntracks", "[\(own)]", headers: ["X-Limit-U": "ada"]).status == 400)
        #expect(try await client.send(.post, "/v1/owntracks").text == "[]")
        let found = try await client.get("/v1/trackers/ada/locations").at("data")?.list?.compactMap {
            try $0.at(["lat"])?.number
        }
        #expect(found == [60.1, 60.2, 60.3, 60.4, 60.5])
        #expect(try await client.get("/v1/osmand?lat=60.1&lon=24").status == 400)
        // The fix can never be stored, so 200 makes the phone delete it.
        #expect(try await client.get("/v1/osmand?id=ada&lat=60.1").status == 200)
    }

    @Test func `a token is accepted as OwnTracks and OsmAnd send it`() async throws {
        var client = try await tracking()
        let token = try #require(client.tokens["phone"])
        client.token = nil
        let own = #"{"_type":"location","lat":60.5,"lon":24,"tst":1700002400}"#
        let basic = "Basic " + Data("ada:\(token)".utf8).base64EncodedString()
        #expect(try await client.send(.post, "/v1/owntracks", own, headers: ["Authorization": basic]).text == "[]")
        try await client.get("/v1/osmand?id=ada&lat=60.1&lon=24&timestamp=1700009000&token=\(token)").expect(200)
        #expect(try await client.get("/v1/osmand?id=ada&lat=60.1&lon=24&token=wp_1_x").status == 401)
        #expect(try await client.get("/v1/osmand?id=ada&lat=60.1&lon=24").status == 401)
        // No other route accepts a token in the URL, because URLs stay in logs and histories.
        #expect(try await client.get("/v1/trackers/ada/current?token=\(token)").status == 401)
        #expect(try await client.get("/v1/trackers", headers: ["Authorization": basic]).status == 401)
    }
}
