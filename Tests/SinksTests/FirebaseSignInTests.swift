import ExtremesTesting
import HTTP
import HTTPTesting
import Processes
import SinkTesting
import Testing
import Tracking

@testable import Sinks

struct FirebaseSignInTests {
    @Test func `a token is renewed for the same user, with its expiry`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let old = server.signIn("ann")
        let new = try await refresh(old, at: server, now: 1_000)
        #expect(new.userId == "ann")
        #expect(new.expiresAt == 4_600)
        #expect(new.idToken != old.idToken && new.refreshToken != old.refreshToken)
        #expect(server.refreshes == 1)
        try await withSink(server) {
            try await $0.upload(Parcel(id: "1", locations: [.sample()], token: new.idToken))
        }
        #expect(server.documents.count == 1)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN : secret"])
    func `a user whose token can't be renewed must sign in again`(reason: String) async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let auth = server.signIn("ann")
        server.refuse("ann", as: reason)
        let error = try await failure(auth, at: server)
        let word = reason.prefix { $0 != " " }
        #expect(error == .unauthorized(reason: "Firebase answered 400 \(word): the user must sign in again"))
        expectDiscretion(error)
    }

    @Test func `an unknown refresh token is refused`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let auth = FirebaseAuth(userId: "ann", idToken: "", refreshToken: "a&grant_type=b", expiresAt: 0)
        #expect(try await Meaning(failure(auth, at: server)) == .unauthorized)
    }

    @Test func `a wrong API key is not the user's fault`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let error = try await failure(server.signIn("ann"), at: server, apiKey: "other-secret")
        #expect(error == .denied(reason: "Firebase answered 400: it does not accept the API key"))
    }

    @Test func `another user's token is not accepted`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        var auth = server.signIn("ann")
        auth.userId = "bob"
        #expect(try await Meaning(failure(auth, at: server)) == .unauthorized)
    }

    @Test(arguments: [
        (SinkMood.internalError, Meaning.unavailable), (.busy, .busy(7)), (.busyWithoutTime, .busy(60)),
        (.permissionDenied, .denied), (.garbage, .unavailable), (.empty, .unavailable), (.truncated, .unavailable),
        (.lost, .unavailable), (.hangUp, .unavailable), (.silent, .unavailable),
    ])
    func `each wrong reply has its meaning, and the next try succeeds`(mood: SinkMood, meaning: Meaning) async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        server.playToTokens([mood])
        let auth = server.signIn("ann")
        let limit: Duration = mood == .silent ? .milliseconds(200) : .seconds(20)
        let error = try await failure(auth, at: server, within: limit)
        #expect(Meaning(error) == meaning)
        expectDiscretion(error)
        #expect(try await refresh(auth, at: server).userId == "ann")
    }

    @Test(arguments: [
        "{}", "null", #"{"id_token": "", "refresh_token": "b", "expires_in": "3600"}"#,
        #"{"id_token": "a", "refresh_token": "b", "expires_in": "soon"}"#,
        #"{"id_token": "a", "refresh_token": "b", "expires_in": "-1"}"#,
        #"{"id_token": "a", "refresh_token": "b", "expires_in": "inf"}"#,
        #"{"id_token": "a", "expires_in": "3600"}"#, #"{"id_token": 5, "refresh_token": "b", "expires_in": "3600"}"#,
    ])
    func `a reply of another shape is an outage`(body: String) async throws {
        let server = try ScriptedServer { _ in .json(body) }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url))
        let auth = FirebaseAuth(userId: "ann", idToken: "", refreshToken: "token-secret", expiresAt: 0)
        let error = try await #require(throws: SinkError.self) {
            try await withClient {
                _ = try await FirebaseSignIn(apiKey: "key-secret", http: $0, server: url).refresh(auth, now: 0)
            }
        }
        #expect(Meaning(error) == .unavailable)
    }

    @Test func `a token that is valid for longer than a year, or for no time, is an outage`() async throws {
        let bodies = Extremes.numbers.flatMap { [$0, "\"\($0)\""] }
            .map { #"{"id_token": "a", "refresh_token": "b", "expires_in": \#($0)}"# }
        let next = Locked(bodies[...])
        let server = try ScriptedServer { _ in .json(next.withLock { $0.popFirst() } ?? "") }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url))
        let auth = FirebaseAuth(userId: "ann", idToken: "", refreshToken: "b", expiresAt: 0)
        try await withClient { client in
            let signIn = FirebaseSignIn(apiKey: "key", http: client, server: url)
            for body in bodies {
                guard let renewed = try? await signIn.refresh(auth, now: 1e9) else { continue }
                #expect((1e9..<1e9 + 366 * 86_400).contains(renewed.expiresAt), "\(body)")
            }
        }
    }

    @Test func `keys are not printed`() async throws {
        try await withClient { client in
            let signIn = FirebaseSignIn(apiKey: "key-secret", http: client)
            var dumped = ""
            dump(signIn, to: &dumped)
            for text in ["\(signIn)", String(reflecting: signIn), dumped] { #expect(!text.contains("key-secret")) }
        }
    }

    private func refresh(
        _ auth: FirebaseAuth, at server: FirestoreServer, apiKey: String? = nil, now: Double = 0,
        within limit: Duration = .seconds(20)
    ) async throws -> FirebaseAuth {
        let url = try #require(HTTPURL(server.url))
        return try await withClient {
            $0.totalLimit = limit
        } _: {
            try await FirebaseSignIn(apiKey: apiKey ?? server.apiKey, http: $0, server: url).refresh(auth, now: now)
        }
    }

    private func failure(
        _ auth: FirebaseAuth, at server: FirestoreServer, apiKey: String? = nil, within limit: Duration = .seconds(20)
    ) async throws -> SinkError {
        try await #require(throws: SinkError.self) {
            try await refresh(auth, at: server, apiKey: apiKey, within: limit)
        }
    }
}
