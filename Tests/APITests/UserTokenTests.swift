import Contacts
import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Testing

@testable import API
@testable import Access

/// A token of one user, on every route.
@Suite(.database)
struct UserTokenTests {
    private let earlier = #"{"since":"2023-11-14T00:00:00Z"}"#

    /// A client with a token of ada, in an account that has another user.
    private func phone() async throws -> APIClient {
        var client = try await APIClient.test()
        for user in ["ada", "bob"] { _ = try await client.send(.post, "/v1/trackers/\(user)/start", earlier) }
        let made = try await client.send(.post, "/v1/tokens", #"{"name":"p","scopes":["track","locate"],"user":"ada"}"#)
            .expect(has: ["user": "ada"])
        let text = try #require(try made.at("token")?.text)
        client = APIClient(server: client.server, tokens: client.tokens.merging(["ada": text]) { $1 })
        client.token = "ada"
        return client
    }

    private func fix(_ lat: Double, _ time: Int) -> String {
        #"{"lat":\#(lat),"lng":24,"timestamp":\#(1_700_000_000 + time)}"#
    }

    @Test func `a user's token sends and reads the positions of its own user`() async throws {
        let client = try await phone()
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", fix(60.1, 0)).status == 200)
        let own = #"{"_type":"location","tid":"xx","lat":60.2,"lon":24,"tst":1700000600}"#
        // The two-letter tracker id is not a user; the token names the user.
        #expect(try await client.send(.post, "/v1/owntracks", own).status == 200)
        #expect(try await client.get("/v1/osmand?id=ada&lat=60.3&lon=24&timestamp=1700001200").status == 200)
        #expect(try await client.send(.post, "/v1/overland", batch(60.4, 1_800, device: nil)).status == 200)
        for path in ["", "/current", "/locations", "/track.gpx", "/track.geojson"] {
            #expect(try await client.get("/v1/trackers/ada\(path)").status == 200, "\(path)")
        }
        #expect(try await client.get("/v1/trackers/ada/locations").at("data")?.list?.count == 4)
        #expect(try await client.send(.post, "/v1/trackers/ada/stop").status == 200)
        #expect(try await client.send(.post, "/v1/trackers/ada/start", "{}").status == 200)
    }

    @Test func `a user's token is refused for another user and for everything else of the account`() async throws {
        let client = try await phone()
        for path in ["", "/current", "/locations", "/track.gpx", "/track.geojson", "/events"] {
            #expect(try await client.get("/v1/trackers/bob\(path)").status == 403, "\(path)")
        }
        for (path, body) in [
            ("/v1/trackers/bob/locations", fix(60, 0)), ("/v1/trackers/bob/start", "{}"), ("/v1/trackers/bob/stop", ""),
            ("/v1/trackers/carl/start", "{}"), ("/v1/overland?user=bob", batch(60, 0, device: nil)),
            ("/v1/overland", batch(60, 0, device: "bob")),
            ("/v1/owntracks?u=bob", #"{"_type":"location","lat":60,"lon":24,"tst":1700000000}"#),
            (
                "/v1/osmand",
                #"{"location":{"timestamp":"2023-11-14T22:33:20Z","coords":{"latitude":60,"longitude":24}},"device_id":"bob"}"#
            ),
        ] {
            #expect(try await client.send(.post, path, body).status == 403, "\(path)")
        }
        #expect(try await client.send(.put, "/v1/trackers/bob/sign-in", signIn).status == 403)
        #expect(try await client.get("/v1/osmand?id=bob&lat=60&lon=24&timestamp=1700000000").status == 403)
        for path in ["/v1/trackers", "/v1/friends", "/v1/tokens", "/metrics", "/v1/lanes"] {
            #expect(try await client.get(path).status == 403, "\(path)")
        }
        #expect(try await Database.test.run { try rows("SELECT FROM fixes", on: $0).count } == 0)
    }

    @Test func `a user's token as the OwnTracks password works for its own user name only`() async throws {
        var client = try await phone()
        let token = try #require(client.tokens["ada"])
        client.token = nil
        let own = #"{"_type":"location","lat":60.5,"lon":24,"tst":1700002400}"#
        for (name, status) in [("ada", 200), ("", 200), ("bob", 403)] {
            let basic = "Basic " + Data("\(name):\(token)".utf8).base64EncodedString()
            #expect(
                try await client.send(.post, "/v1/owntracks", own, headers: ["Authorization": basic]).status == status)
        }
    }

    @Test func `a user's token can have only scopes for positions, and begins no session`() async throws {
        let client = try await phone()
        let admin = client.with(token: "everything")
        for scopes in [#"["read"]"#, #"["track","write"]"#, #"["admin"]"#] {
            let body = #"{"name":"p","scopes":\#(scopes),"user":"ada"}"#
            #expect(try await admin.send(.post, "/v1/tokens", body).status == 422, "\(scopes)")
        }
        #expect(try await admin.send(.post, "/v1/tokens", #"{"name":"p","scopes":["track"],"user":""}"#).status == 422)
        let token = try #require(client.tokens["ada"])
        let text = try #require(TokenText(token))
        let secret = try await Database.test(as: "waypost_api").run { try SessionStore().begin(text, on: $0) }
        #expect(secret == nil)
    }

    @Test func `tracking and sign-in acts are logged without the user's name`() async throws {
        let client = try await phone()
        for path in ["start", "stop", "stop"] { _ = try await client.send(.post, "/v1/trackers/ada/\(path)", "") }
        let acts = try await Database.test.query(
            "SELECT verb, target, author, before::text AS before FROM audit_log WHERE verb LIKE 'trackers.%' ORDER BY id"
        ).map { [try $0.read("verb", as: String.self), try $0.read("author", as: String.self)] }
        // The second start of ada and the second stop changed nothing, so they are not logged.
        #expect(
            acts == [["trackers.start", "everything"], ["trackers.start", "everything"], ["trackers.stop", "p"]])
        let logged = try await Database.test.run { db in
            try db.query("SELECT to_jsonb(audit_log)::text AS row FROM audit_log").map {
                try $0.read("row", as: String.self)
            }
        }
        #expect(!logged.contains { $0.contains("ada") || $0.contains("bob") })
    }

    @Test func `a list of locations from GET is accepted when sent back`() async throws {
        let client = try await phone()
        _ = try await client.send(
            .post, "/v1/trackers/ada/locations", "[\(fix(60.1, 0)),\(fix(60.1, 60)),\(fix(60.9, 9_000))]")
        let listed = try await client.get("/v1/trackers/ada/locations")
        try await client.send(.post, "/v1/trackers/ada/locations", listed.text).expect(has: [
            "refused": 0, "taken": 1, "repeated": 1,
        ])
    }

    private func batch(_ lat: Double, _ time: Int, device: String?) -> String {
        let device = device.map { #","device_id":"\#($0)""# } ?? ""
        return #"""
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[24,\#(lat)]},
             "properties":{"timestamp":\#(1_700_000_000 + time)\#(device)}}]}
            """#
    }
}
