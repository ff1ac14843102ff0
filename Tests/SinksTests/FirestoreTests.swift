import Foundation
import HTTP
import HTTPTesting
import JSON
import Processes
import SinkTesting
import Testing
import Tracking

@testable import Sinks

struct FirestoreTests {
    @Test func `a location becomes a document with its id and the app's fields`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        try await upload([.sample(), .sample("2", accuracy: nil)], to: server)
        #expect(
            server.documents == [
                "locations/1": fields("1", accuracy: .double(8)), "locations/2": fields("2", accuracy: .null),
            ])
    }

    private func fields(_ id: String, accuracy: FirestoreValue) -> [String: FirestoreValue] {
        [
            "id": .string(id), "user": .string("ann-secret"), "lat": .double(60.125), "lng": .double(24.5),
            "accuracy": accuracy, "timestamp": .double(1_800_000_000.25), "wait_time": .double(90),
            "uploaded": .boolean(true),
        ]
    }

    /// The app reads the documents and its JSON with the same names.
    @Test func `the fields equal those of the app's own JSON`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        try await upload([.sample()], to: server)
        var pending: [PendingLocation] = []
        TrackingRule().appendOrUpdate(
            Fix(id: "1", lat: 60, lng: 24, accuracy: 8, timestamp: 1_700_000_000), user: "ann", pending: &pending,
            now: 1_700_000_000)
        let json = try JSONValue(parsing: Array(JSONEncoder().encode(try #require(pending.first))))
        let known = try #require(json.object).keys.filter { $0 != "fixes" && $0 != "removed" }
        #expect(server.documents["locations/1"].map { Set($0.keys) } == Set(known))
    }

    @Test func `a location is deleted, also one without a document`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        try await upload([.sample("1"), .sample("2")], to: server)
        try await upload([.sample("1", isRemoved: true), .sample("3", isRemoved: true)], to: server)
        #expect(Array(server.documents.keys) == ["locations/2"])
    }

    @Test func `a location that appears twice in a parcel is written once, in its last state`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        try await upload(
            [.sample("1", waitTime: 1), .sample("2"), .sample("1", waitTime: 5), .sample("2", isRemoved: true)],
            to: server)
        #expect(server.documents["locations/1"]?["wait_time"] == .double(5))
        #expect(server.documents.count == 1)
    }

    @Test func `fields that the app added to a document stay`() async throws {
        let body = try await self.body(of: [.sample()])
        let write = try #require(body.object?["writes"]?.list?.first?.object)
        let mask = try #require(write["updateMask"]?.object?["fieldPaths"]?.list)
        #expect(try Set(mask.compactMap(\.text)) == Set(#require(write["update"]?.object?["fields"]?.object).keys))
    }

    private func body(of locations: [LocationToUpload]) async throws -> JSONValue {
        let server = try FirestoreServer()
        defer { server.stop() }
        try await upload(locations, to: server)
        return try JSONValue(parsing: try #require(server.requests.first).body)
    }

    @Test func `500 locations with the longest ids and users are one commit below the limit`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let long = String(repeating: "\u{1}/", count: 500)
        try await upload((0..<500).map { .sample("\($0)" + long, user: long) }, to: server)
        #expect(server.documents.count == 500)
        #expect(server.requests.count == 1)
    }

    @Test func `a parcel that is too large is refused unsent, so smaller ones are tried`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let auth = server.signIn("ann-secret")
        let locations = (0..<20).map { LocationToUpload.sample("\($0)") }
        let error = try await withSink(server) { sink in
            var sink = sink
            sink.largestCommit = 8_000
            try await sink.upload(Parcel(id: "1", locations: Array(locations.prefix(10)), token: auth.idToken))
            return await #expect(throws: SinkError.self) {
                try await sink.upload(Parcel(id: "2", locations: locations, token: auth.idToken))
            }
        }
        #expect(error == .refused(reason: "the commit is larger than 10 MiB"))
        #expect(server.requests.count == 1)
    }

    @Test func `a user may have their own collection, and no name leads out of it`() async throws {
        let server = try FirestoreServer { user, path in path.hasPrefix("users/~..%2Fbob/locations/") }
        defer { server.stop() }
        try await upload([.sample("../../x", user: "../bob")], to: server, in: "users/{user}/locations")
        #expect(Array(server.documents.keys) == ["users/~..%2Fbob/locations/~..%2F..%2Fx"])
        #expect(server.documents.values.first?["id"] == .string("../../x"))
    }

    @Test func `ids that are invalid document names are encoded, each differently`() {
        let long = String(repeating: "ä", count: 800)
        let ids = [
            "", ".", "..", "...", "__x__", "____", "___", "__x", "~", "~~", "~.", "~~x", "%2F", "/", "a/b", "a%2Fb",
            "~a%2Fb",
            "~a/b", long, long + "/", "x" + long, "~" + Digest.sha256(Array(long.utf8)).hexadecimal,
            "~~" + Digest.sha256(Array(long.utf8)).hexadecimal,
        ]
        let segments = ids.map(FirestorePath.segment)
        #expect(Set(segments).count == ids.count)
        for segment in segments {
            #expect(!segment.isEmpty && segment.utf8.count <= 1_500 && !segment.contains("/"))
            #expect(
                segment != "." && segment != ".." && !(segment.hasPrefix("__") && segment.hasSuffix("__"))
                    || segment == "___")
        }
        #expect(FirestorePath.segment(for: "6F9619FF-8B86-D011") == "6F9619FF-8B86-D011")
    }

    @Test(arguments: [
        "", "/", "locations/", "/locations", "users/ann", "a//b", "users/{user}", "__a__", "..", "a/../b", "x{user}",
    ])
    func `a text that is not a collection path is refused`(text: String) {
        #expect(FirestorePath(text) == nil)
    }

    @Test func `an invalid name of a project or a database is refused`() async throws {
        try await withClient { client in
            let path = try #require(FirestorePath("locations"))
            let signIn = FirebaseSignIn(apiKey: "key", http: client)
            for name in ["", "a/b", "a?b", "a b", "..", "a%2Fb", "a#b"] {
                #expect(FirestoreSink(project: name, collection: path, signIn: signIn, http: client) == nil)
                #expect(
                    FirestoreSink(project: "p", database: name, collection: path, signIn: signIn, http: client) == nil)
            }
            #expect(FirestoreSink(project: "example.com:p-1", collection: path, signIn: signIn, http: client) != nil)
        }
    }

    @Test func `without a token nothing is sent`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let error = await #expect(throws: SinkError.self) {
            try await withSink(server) { try await $0.upload(Parcel(id: "1", locations: [.sample()])) }
        }
        #expect(error == .unauthorized(reason: "there is no sign-in"))
        #expect(server.connections == 0)
    }

    @Test func `an expired token is unauthorized`() async throws {
        let server = try FirestoreServer()
        defer { server.stop() }
        let auth = server.signIn("ann-secret")
        server.endTokens()
        let error = await #expect(throws: SinkError.self) {
            try await withSink(server) {
                try await $0.upload(Parcel(id: "1", locations: [.sample()], token: auth.idToken))
            }
        }
        #expect(error == .unauthorized(reason: "Firestore answered 401 UNAUTHENTICATED"))
    }

    @Test func `a parcel with one forbidden location leaves nothing behind`() async throws {
        let server = try FirestoreServer { _, path in path != "locations/2" }
        defer { server.stop() }
        let error = await #expect(throws: SinkError.self) {
            try await upload([.sample("1"), .sample("2"), .sample("3")], to: server)
        }
        #expect(error == .unauthorized(reason: "Firestore answered 403 PERMISSION_DENIED"))
        #expect(server.documents.isEmpty)
    }

    @Test(arguments: [
        (SinkMood.internalError, Meaning.unavailable), (.unavailable, .unavailable), (.busy, .busy(7)),
        (.busyWithoutTime, .busy(60)), (.unauthenticated, .unauthorized), (.permissionDenied, .unauthorized),
        (.aborted, .unavailable), (.garbage, .unavailable), (.empty, .unavailable), (.truncated, .unavailable),
        (.fewerResults, .unavailable), (.lost, .unavailable), (.hangUp, .unavailable), (.silent, .unavailable),
    ])
    func `each wrong reply has its meaning, and the same parcel succeeds later`(mood: SinkMood, meaning: Meaning)
        async throws
    {
        let server = try FirestoreServer()
        defer { server.stop() }
        server.play([mood])
        let limit: Duration = mood == .silent ? .milliseconds(200) : .seconds(20)
        let error = try await #require(throws: SinkError.self) {
            try await upload([.sample()], to: server, within: limit)
        }
        #expect(Meaning(error) == meaning)
        expectDiscretion(error)
        try await upload([.sample()], to: server)
        #expect(server.documents.count == 1)
    }

    @Test(arguments: [
        (400, "INVALID_ARGUMENT", "", Meaning.refused), (400, "FAILED_PRECONDITION", "", .denied),
        (404, "NOT_FOUND", "", .denied), (403, "PERMISSION_DENIED", "SERVICE_DISABLED", .denied),
        (403, "PERMISSION_DENIED", "BILLING_DISABLED", .denied), (409, "ALREADY_EXISTS", "", .unavailable),
        (499, "CANCELLED", "", .unavailable), (504, "DEADLINE_EXCEEDED", "", .unavailable),
        (418, "secret sentence", "", .unavailable),
    ])
    func `each Google error has its meaning`(code: Int, status: String, reason: String, meaning: Meaning)
        async throws
    {
        let body = """
            {"error": {"code": \(code), "message": "secret", "status": "\(status)", "details": [{"reason": "\(reason)"}]}}
            """
        let error = try await error(answering: .json(body, status: code))
        #expect(Meaning(error) == meaning)
        expectDiscretion(error)
    }

    @Test(arguments: [
        (400, Meaning.unavailable), (401, .unavailable), (403, .unavailable), (404, .unavailable), (413, .refused),
        (502, .unavailable), (204, .unavailable),
    ])
    func `a reply that is not Google's is an outage, or a refusal if 413`(status: Int, meaning: Meaning) async throws {
        let answer = ScriptedAnswer.json("<html>secret</html>", status: status, type: "text/html")
        let error = try await error(answering: answer)
        #expect(Meaning(error) == meaning)
        expectDiscretion(error)
    }

    @Test func `a token is not sent to the target of a redirect`() async throws {
        let stranger = try ScriptedServer { _ in .json("{}") }
        defer { stranger.stop() }
        for target in [stranger.url, "/elsewhere"] {
            let error = try await error(answering: .redirect(to: target, status: 307), requests: 1)
            #expect(Meaning(error) == .unavailable)
        }
        #expect(stranger.connections == 0)
    }

    private func error(answering answer: ScriptedAnswer, requests: Int = 1) async throws -> SinkError {
        let server = try ScriptedServer { _ in answer }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url))
        let error = try await #require(throws: SinkError.self) {
            try await withClient { client in
                let signIn = FirebaseSignIn(apiKey: "key-secret", http: client, server: url)
                let sink = FirestoreSink(
                    project: "demo", collection: try #require(FirestorePath("locations")), signIn: signIn, http: client,
                    server: url)
                try await #require(sink).upload(Parcel(id: "1", locations: [.sample()], token: "token-secret"))
            }
        }
        #expect(server.requests.count == requests)
        return error
    }

    private func upload(
        _ locations: [LocationToUpload], to server: FirestoreServer, in collection: String = "locations",
        within limit: Duration = .seconds(20)
    ) async throws {
        let auth = server.signIn("ann-secret")
        try await withSink(server, in: collection, within: limit) {
            try await $0.upload(Parcel(id: "1", locations: locations, token: auth.idToken))
        }
    }
}

/// A sink for one test.
func withSink<Result>(
    _ server: FirestoreServer, in collection: String = "locations", within limit: Duration = .seconds(20),
    _ body: (FirestoreSink) async throws -> Result
) async throws -> Result {
    let url = try #require(HTTPURL(server.url))
    return try await withClient {
        $0.totalLimit = limit
    } _: { client in
        let signIn = FirebaseSignIn(apiKey: server.apiKey, http: client, server: url)
        let sink = FirestoreSink(
            project: server.project, collection: try #require(FirestorePath(collection)), signIn: signIn, http: client,
            server: url)
        return try await body(#require(sink))
    }
}

/// A ``SinkError`` without its reason.
enum Meaning: Hashable {
    case busy(Int)
    case quota, unavailable, refused, unauthorized, denied

    init(_ error: SinkError) {
        self =
            switch error {
            case .busy(let pause): .busy(Int(pause.components.seconds))
            case .quotaExhausted: .quota
            case .unavailable: .unavailable
            case .refused: .refused
            case .unauthorized: .unauthorized
            case .denied: .denied
            }
    }
}
