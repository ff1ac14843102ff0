import Cluster
import DatabaseTesting
import HTTP
import HTTPTesting
import Locations
import Polling
import Postgres
import Queue
import SinkTesting
import Sinks
import Testing

/// Uploads to a webhook, as the receiver sees them.
@Suite(.database)
struct WebhookUploadTests {
    private func withWebhook(
        _ scene: UploadScene, _ receiver: WebhookReceiver, _ body: () async throws -> Void
    ) async throws {
        let http = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let sink = WebhookSink(
            url: try #require(HTTPURL(receiver.url)), secret: try WebhookSecret("twenty-four-bytes-or-more"), http: http
        )
        try await with(scene.worker(access: SinkAccess { _, _ in sink })) { () async throws in try await body() }
        await http.close()
    }

    @Test func `each attempt has the same id and body, and a later change has another id`() async throws {
        let scene = try await UploadScene(users: 1)
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        receiver.play([.internalError, .hangUp, .internalError])
        try await scene.database.run { db in
            try JobQueue().change(scene.lane, on: db) { $0.firstRetry = .milliseconds(1) }
        }
        try await withWebhook(scene, receiver) {
            try await scene.send(0, of: "user 0", at: 0)
            try await scene.waitUntilUploaded()
            let attempts = receiver.requests
            #expect(attempts.count == 4)
            #expect(Set(attempts.compactMap { $0.headers["webhook-id"] }).count == 1)
            #expect(Set(attempts.map(\.body)).count == 1)
            try await scene.send(1, of: "user 0", at: 0)
            try await scene.waitUntilUploaded()
            #expect(receiver.requests.last?.headers["webhook-id"] != attempts[0].headers["webhook-id"])
        }
    }

    @Test func `a webhook that refuses everything is probed, resumes on success, and stops after a day`() async throws {
        let scene = try await UploadScene(users: 1)
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        receiver.cycle([.unauthenticated])
        try await withWebhook(scene, receiver) {
            try await scene.send(0, of: "user 0", at: 0)
            var condition = try await waitUntil(scene) { if case .blocked = $0 { true } else { false } }
            guard case .blocked(let until, let because) = condition else { return }
            #expect(because.contains("answered 401"))
            let now = try await scene.database.run { try JobQueue().clock(on: $0) }
            #expect(until - now > .seconds(30) && until - now <= .seconds(60))

            // The pauses before the next probes get longer.
            try await pass("10 hours", scene)
            condition = try await waitUntil(scene) { if case .blocked(let end, _) = $0 { end > until } else { false } }
            guard case .blocked(let later, _) = condition else { return }
            #expect(later - now > .seconds(3_000) && later - now < .seconds(3_700))

            // When the receiver accepts them again, everything is as before.
            receiver.cycle([.well])
            try await pass("1 hour", scene)
            try await scene.waitUntilUploaded()
            condition = try await waitUntil(scene) { $0 == .open }
            #expect(try await deniedSince(scene) == nil)

            receiver.cycle([.unauthenticated])
            try await scene.send(9, of: "user 0", at: 3)
            _ = try await waitUntil(scene) { if case .blocked = $0 { true } else { false } }
            try await pass("25 hours", scene)
            condition = try await waitUntil(scene) { if case .stopped = $0 { true } else { false } }
            guard case .stopped(_, let reason) = condition else { return }
            #expect(reason.contains("answered 401"))
        }
        // No location is lost, and resuming is enough.
        #expect(try await scene.jobs() == 1)
        receiver.cycle([.well])
        _ = try await scene.database.transaction { try JobQueue().resume(scene.lane, on: $0) }
        try await withWebhook(scene, receiver) { try await scene.waitUntilUploaded() }
    }

    private func waitUntil(
        _ scene: UploadScene, _ isReached: (LaneCondition) -> Bool
    ) async throws -> LaneCondition {
        var condition = LaneCondition.open
        try await pollUntil {
            condition = try await scene.database.run { try JobQueue().lane(scene.lane, on: $0).condition }
            return isReached(condition)
        }
        return condition
    }

    /// Moves the first refusal back by this time, and ends the pause.
    private func pass(_ time: String, _ scene: UploadScene) async throws {
        try await scene.database.transaction { db in
            try db.query(
                """
                UPDATE lanes
                SET denied_since = denied_since - \(time)::interval, blocked_until = clock_timestamp()
                WHERE name = \(scene.lane)
                """)
            try db.query("SELECT pg_notify(\(JobQueue.lanesChannel), \(scene.lane))")
        }
    }

    private func deniedSince(_ scene: UploadScene) async throws -> Double? {
        try await scene.database.run { db in
            try db.query("SELECT extract(epoch FROM denied_since) AS since FROM lanes WHERE name = \(scene.lane)")[0]
                .readIfPresent("since")
        }
    }
}
