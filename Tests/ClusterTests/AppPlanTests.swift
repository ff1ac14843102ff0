import DatabaseTesting
import Foundation
import Locations
import Polling
import Postgres
import SinkTesting
import Testing
import Tracking

/// The manual test plan of the app from which the rule comes, as far as a server can run it. The library does the
/// phone's part (`LocationStorage`), and the cluster does the part in Firestore. The plan's section on the web path is
/// about the app's own code.
@Suite(.database)
struct AppPlanTests {
    /// The preferences on the app's phone.
    private final class Phone: Preferences {
        private var texts: [String: String] = [:]
        func string(forKey key: String) -> String? { texts[key] }
        func setString(_ text: String?, forKey key: String) { texts[key] = text }
    }

    private func fix(_ minute: Int, at place: Int) -> Fix {
        Fix(id: "\(minute)", lat: 60 + Double(place) / 100, lng: 25, timestamp: 1_700_000_000 + Double(minute) * 60)
    }

    private let prefix = "CapacitorStorage.jeethtravel."

    @Test func `1, in the foreground: pending locations are in Firestore under the same ids`() async throws {
        let scene = try await FirestoreScene(users: 1)
        defer { scene.server.stop() }
        let phone = Phone()
        let storage = LocationStorage(phone, prefix: prefix)
        try storage.saveAuth(scene.server.signIn("user 0"))
        storage.setTrackingEnabled(true)
        #expect(phone.string(forKey: prefix + "trackingEnabled") == "true")
        try await with(scene.worker()) { () async throws in
            for (minute, place) in [(0, 0), (1, 0), (5, 0), (6, 3), (7, 4)] {
                _ = try storage.storeLocationWithoutUpload(fix(minute, at: place), userId: "user 0", now: 1_700_001_000)
                try await scene.send(minute, of: "user 0", at: place)
            }
            try await scene.waitUntilUploaded()
        }
        let pending = try storage.loadPendingLocations()
        #expect(pending.map(\.id) == ["0", "6", "7"])
        #expect(pending.map(\.waitTime) == [300, 0, 0])
        for location in pending {
            let document = try #require(scene.server.documents["users/user 0/locations/\(location.id)"])
            #expect(document["id"] == .string(location.id))
            #expect(document["lat"] == .double(location.lat) && document["lng"] == .double(location.lng))
            #expect(document["timestamp"] == .double(location.timestamp))
            #expect(document["wait_time"] == .double(location.waitTime))
        }
        #expect(scene.server.documents.count == pending.count)
        let current = try await scene.database.run { [account = scene.uploads.account] in
            try TrackerStore().lastFix(of: "user 0", account: account, on: $0)
        }
        #expect(current?.id == (try storage.currentLocation()?.id))
    }

    @Test func `2, in the background: late locations are pending, then uploaded`() async throws {
        let scene = try await FirestoreScene(users: 1)
        defer { scene.server.stop() }
        try await scene.send(0, of: "user 0", at: 0)
        // The worker is away, so nothing is uploaded.
        try await scene.send(20, of: "user 0", at: 2)
        #expect(try await uploaded(scene) == [false, false])
        try await with(scene.worker()) { () async throws in
            try await scene.send(10, of: "user 0", at: 1)
            try await scene.waitUntilUploaded()
        }
        #expect(try await uploaded(scene) == [true, true, true])
        #expect(scene.server.documents.count == 3)
    }

    @Test func `3, on and off: while tracking is off, no document is written and the phone stores nothing`()
        async throws
    {
        let scene = try await FirestoreScene(users: 1)
        defer { scene.server.stop() }
        let storage = LocationStorage(Phone(), prefix: prefix)
        try await with(scene.worker()) { () async throws in
            try await scene.send(0, of: "user 0", at: 0)
            try await scene.waitUntilUploaded()
            try await scene.uploads.stop("user 0")
            storage.setTrackingEnabled(false)
            let before = scene.server.requests.count
            let fates = try await scene.database.run { [account = scene.uploads.account] in
                try TrackerStore().record([UserFix(fix(1, at: 3), of: "user 0")], account: account, on: $0)
            }
            #expect(fates == [.refused(.off)])
            #expect(try storage.storeLocationWithoutUpload(fix(1, at: 3), userId: "user 0", now: 1_700_001_000) == nil)
            #expect(scene.server.requests.count == before)
            try await scene.uploads.start("user 0")
            try await scene.send(2, of: "user 0", at: 4)
            try await scene.waitUntilUploaded()
        }
        #expect(Set(scene.server.documents.keys) == ["users/user 0/locations/0", "users/user 0/locations/2"])
    }

    @Test func `5, failures: locations stay while Firestore is away, and are uploaded when it is back`() async throws {
        let scene = try await FirestoreScene(users: 1)
        defer { scene.server.stop() }
        try await scene.database.run {
            try $0.run(script: "UPDATE lanes SET first_retry = '1 ms', breaker_after = 1000")
        }
        scene.server.cycle([.unavailable, .hangUp])
        try await with(scene.worker()) { () async throws in
            try await scene.send(0, of: "user 0", at: 0)
            try await pollUntil { scene.server.requests.count >= 3 }
            #expect(try await uploaded(scene) == [false])
            scene.server.play([])
            try await scene.waitUntilUploaded()
        }
        #expect(try await uploaded(scene) == [true])
        #expect(scene.server.documents.count == 1)
    }

    private func uploaded(_ scene: FirestoreScene) async throws -> [Bool] {
        try await scene.database.run { [account = scene.uploads.account] in
            try TrackerStore().locations(of: "user 0", account: account, on: $0).map(\.uploaded)
        }
    }
}
