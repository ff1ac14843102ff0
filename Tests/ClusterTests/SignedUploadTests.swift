import Cluster
import DatabaseTesting
import Foundation
import HTTP
import Locations
import Polling
import Postgres
import Queue
import SinkTesting
import Sinks
import Testing
import Tracking

/// Uploads to a stand-in for Firestore, by workers whose users are signed in.
@Suite(.database)
struct SignedUploadTests {
    @Test func `documents equal the database, and are written under the users' own tokens`() async throws {
        let scene = try await FirestoreScene(users: 5)
        defer { scene.server.stop() }
        try await with(scene.worker()) { () async throws in
            for minute in 0..<6 {
                for user in scene.users { try await scene.send(minute, of: user, at: minute) }
            }
            try await scene.waitUntilUploaded()
        }
        #expect(scene.server.documents.count == 30)
        let stays = try await scene.database.run {
            try rows("SELECT FROM pending_locations WHERE uploaded", on: $0).count
        }
        #expect(stays == 30)
    }

    @Test func `an expired token is renewed once for the whole cluster`() async throws {
        let scene = try await FirestoreScene(users: 12, isShared: true)
        defer { scene.server.stop() }
        try await scene.database.run { try $0.run(script: "UPDATE sign_ins SET ends_at = now()") }
        for user in scene.users { try await scene.send(0, of: user, at: 0) }
        try await with(scene.worker("ada")) { () async throws in
            try await with(scene.worker("ben")) { () async throws in
                try await with(scene.worker("cleo")) { () async throws in try await scene.waitUntilUploaded() }
            }
        }
        #expect(scene.server.refreshes == 1)
        #expect(scene.server.documents.count == 12)
    }

    @Test func `a 401 leads to one new token`() async throws {
        let scene = try await FirestoreScene(users: 12, isShared: true)
        defer { scene.server.stop() }
        scene.server.endTokens()
        for user in scene.users { try await scene.send(0, of: user, at: 0) }
        try await with(scene.worker("ada")) { () async throws in
            try await with(scene.worker("ben")) { () async throws in try await scene.waitUntilUploaded() }
        }
        #expect(scene.server.refreshes == 1)
        #expect(scene.server.documents.count == 12)
    }

    @Test func `after refused tokens, one new token is requested, and the locations are only stored`() async throws {
        let scene = try await FirestoreScene(users: 1)
        defer { scene.server.stop() }
        scene.server.cycle([.unauthenticated])
        try await scene.send(0, of: "user 0", at: 0)
        try await with(scene.worker()) { () async throws in
            try await pollUntil { try await scene.signIn("user 0") != .valid }
        }
        guard case .refused = try await scene.signIn("user 0") else {
            Issue.record("the sign-in should have been refused")
            return
        }
        #expect(scene.server.refreshes == 1)
        #expect(scene.server.documents.isEmpty)
        let (jobs, due) = try await scene.database.run {
            (
                try rows("SELECT FROM jobs", on: $0).count,
                try rows("SELECT FROM pending_locations WHERE NOT uploaded", on: $0).count
            )
        }
        #expect(jobs == 0)
        #expect(due == 1)
        // No token is requested for a user who is signed out.
        try await scene.send(1, of: "user 0", at: 1)
        #expect(try await scene.database.run { try rows("SELECT FROM jobs", on: $0).count } == 0)

        // After a new sign-in, all stored locations are uploaded.
        scene.server.play([])
        try await scene.keep(scene.server.signIn("user 0", now: Date().timeIntervalSince1970), of: "user 0")
        try await with(scene.worker()) { () async throws in try await scene.waitUntilUploaded() }
        #expect(scene.server.documents.count == 2)
    }

    @Test func `a disabled user does not delay other users`() async throws {
        let scene = try await FirestoreScene(users: 3)
        defer { scene.server.stop() }
        scene.server.endTokens()
        scene.server.refuse("user 1")
        for user in scene.users { try await scene.send(0, of: user, at: 0) }
        try await with(scene.worker()) { () async throws in
            for user in ["user 0", "user 2"] { try await scene.waitUntilUploaded(by: user) }
            try await pollUntil { try await scene.signIn("user 1") != .valid }
        }
        #expect(scene.server.documents.count == 2)
    }

    @Test func `sign-in tokens that this worker can't decrypt are refused and logged`() async throws {
        let scene = try await FirestoreScene(users: 1)
        defer { scene.server.stop() }
        try await scene.send(0, of: "user 0", at: 0)
        let other = try SealingKeys(SealingKeys.newKey())
        try await with(scene.worker(keys: other)) { () async throws in
            try await pollUntil { try await scene.signIn("user 0") != .valid }
        }
        #expect(
            try await scene.signIn("user 0")
                == .refused(reason: "its tokens can't be opened with the key of this worker"))
    }

    @Test func `every location becomes one document, whatever the service replies`() async throws {
        let scene = try await FirestoreScene(users: 6)
        defer { scene.server.stop() }
        scene.server.cycle([
            .internalError, .well, .unavailable, .well, .aborted, .well, .garbage, .well, .empty, .well, .truncated,
            .well,
            .fewerResults, .well, .lost, .well, .hangUp, .well,
        ])
        try await scene.database.run {
            try $0.run(script: "UPDATE lanes SET first_retry = '1 ms', breaker_after = 1000")
        }
        try await with(scene.worker("ada")) { () async throws in
            try await with(scene.worker("ben")) { () async throws in
                for minute in 0..<8 {
                    for user in scene.users { try await scene.send(minute, of: user, at: minute % 5) }
                }
                try await scene.waitUntilUploaded()
            }
        }
        #expect(scene.server.documents.count == 48)
        #expect(scene.server.commits > 0)
    }
}

/// Trackers whose sink is a stand-in for Firestore.
struct FirestoreScene {
    let server: FirestoreServer
    let uploads: UploadScene
    let keys: SealingKeys

    var database: Database { uploads.database }
    var users: [String] { uploads.users }

    /// With `isShared`, all users have one sign-in.
    init(users count: Int, isShared: Bool = false) async throws {
        let server = try FirestoreServer()
        let keys = try SealingKeys(SealingKeys.newKey())
        self.server = server
        self.keys = keys
        uploads = try await UploadScene(users: count)
        try await uploads.database.run {
            try $0.run(script: "UPDATE sinks SET signs_in = true, kind = 'firestore'; UPDATE lanes SET batch = 1")
        }
        let now = Date().timeIntervalSince1970
        if isShared {
            try await keep(server.signIn("everybody", now: now), of: nil)
        } else {
            for user in users { try await keep(server.signIn(user, now: now), of: user) }
        }
    }

    func keep(_ auth: FirebaseAuth, of user: String?) async throws {
        let json = String(decoding: try JSONEncoder().encode(auth), as: UTF8.self)
        let isKept = try await database.transaction { [keys, account = uploads.account] db in
            let sink: Int = try db.query("SELECT id FROM sinks")[0].read("id")
            return try SignInStore().store(
                keys.seal(json, for: SignInStore.context(sink: sink, user: user)), endsAt: auth.expiresAt, sink: sink,
                user: user, account: account, on: db)
        }
        #expect(isKept)
    }

    func worker(_ name: String = "ada", keys: SealingKeys? = nil) -> Worker {
        uploads.worker(
            name,
            access: SinkAccess(keys: { [own = self.keys] in keys ?? own }) { [server] _, _ in
                var settings = SinkSettings()
                (settings.project, settings.collection) = (server.project, "users/{user}/locations")
                (settings.server, settings.tokenServer, settings.allowsPrivateAddresses) = (
                    server.url, server.url, true
                )
                var options = HTTPClient.Options(userAgent: "test")
                options.totalLimit = .seconds(2)
                return try SinkDescription(kind: .firestore, settings: settings, secret: server.apiKey).makeSink(
                    options)
            })
    }

    func send(_ minute: Int, of user: String, at place: Int) async throws {
        try await uploads.send(minute, of: user, at: place)
    }

    func waitUntilUploaded(by user: String? = nil) async throws { try await uploads.waitUntilUploaded(by: user) }

    func signIn(_ user: String) async throws -> SignInState? {
        try await database.run { [account = uploads.account] in
            try TrackerStore().tracker(of: user, account: account, on: $0)?.signIn
        }
    }
}
