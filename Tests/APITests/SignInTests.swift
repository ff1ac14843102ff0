import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Testing

@testable import API

let signIn = #"{"userId":"u1","idToken":"secret-id","refreshToken":"secret-refresh","expiresAt":1700003600}"#

/// The default sink of the default account. Users must be signed in for it.
func addSink(named name: String = "app") async throws {
    try await Database.test.query(
        """
        WITH lane AS (INSERT INTO lanes (name, kind) VALUES (\("upload:" + name), 'upload') RETURNING id)
        INSERT INTO sinks (account, name, kind, lane, signs_in, is_default)
        SELECT accounts.id, \(name), 'firestore', lane.id, true, true FROM lane, accounts WHERE accounts.name = 'default'
        """)
}

@Suite(.database)
struct SignInTests {
    private let earlier = #"{"since":"2023-11-14T00:00:00Z"}"#
    private let fix = #"{"lat":60.17,"lng":24.94,"timestamp":1700000000}"#

    @Test func `locations of a user who is not signed in are only stored`() async throws {
        let client = try await APIClient.test()
        try await addSink()
        try await client.send(.post, "/v1/trackers/ada/start", earlier).expect(has: [
            "sink": "app", "sign_in": "missing",
        ])
        #expect(try await client.send(.post, "/v1/trackers/ada/locations", fix).status == 200)
        #expect(try await jobs() == 0)

        // An app may leave out that it sends JSON.
        try await client.send(.put, "/v1/trackers/ada/sign-in", signIn, type: "application/x-www-form-urlencoded")
            .expect(has: ["sign_in": "valid"])
        // The stored locations are enqueued at once.
        #expect(try await jobs() == 1)
        let stored = try await Database.test.run {
            try $0.query("SELECT encode(sealed, 'escape') AS sealed FROM sign_ins").map {
                try $0.read("sealed", as: String.self)
            }
        }
        #expect(stored.count == 1)
        #expect(!stored.joined().contains("secret"))

        try await client.send(.delete, "/v1/trackers/ada/sign-in").expect(has: ["sign_in": "missing"])
    }

    @Test func `an unusable sign-in token is refused`() async throws {
        let client = try await APIClient.test()
        #expect(try await client.send(.put, "/v1/trackers/ada/sign-in", signIn).status == 404)
        _ = try await client.send(.post, "/v1/trackers/ada/start", #"{"sink":null}"#)
        // The tracker has no sink, so it needs no sign-in.
        #expect(try await client.send(.put, "/v1/trackers/ada/sign-in", signIn).status == 409)
        try await addSink()
        #expect(try await client.send(.post, "/v1/trackers/ada/start", #"{"sink":"none"}"#).status == 422)
        #expect(try await client.send(.post, "/v1/trackers/ada/start", #"{"sink":"app"}"#).status == 200)
        #expect(try await client.send(.put, "/v1/trackers/ada/sign-in", #"{"idToken":"a"}"#).status == 422)
        let endless = #"{"idToken":"a","refreshToken":"b","expiresAt":null}"#
        #expect(try await client.send(.put, "/v1/trackers/ada/sign-in", endless).status == 422)
        for (token, status) in [("map", 403), ("other", 404)] {
            var stranger = client
            stranger.token = token
            #expect(try await stranger.send(.put, "/v1/trackers/ada/sign-in", signIn).status == status)
        }
        let noKey = try await APIClient.test { $0.seal = { _, _ in nil } }
        #expect(try await noKey.send(.put, "/v1/trackers/ada/sign-in", signIn).status == 503)
    }

    @Test func `a tracker can't use another account's sink`() async throws {
        var client = try await APIClient.test()
        client.token = "other"
        try await addSink()
        #expect(try await client.send(.post, "/v1/trackers/ada/start", #"{"sink":"app"}"#).status == 422)
        #expect(try await client.send(.post, "/v1/trackers/ada/start", "{}").at("sink") == .null)
    }

    private func jobs() async throws -> Int {
        try await Database.test.run { try rows("SELECT FROM jobs", on: $0).count }
    }
}
