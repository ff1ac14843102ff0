import Foundation
import Testing
import Tracking

/// The data that the seed's app keeps in Capacitor's preferences.
@Suite struct LocationStorageTests {
    private let shelf = Shelf()
    private var storage: LocationStorage { LocationStorage(shelf, prefix: "CapacitorStorage.jeethtravel.") }
    private let fix = Fix(id: "one", lat: 60, lng: 24, accuracy: 5, timestamp: 1_700_000_000)

    @Test func `tracking is off until it is turned on, under the name that the JavaScript side reads`() {
        #expect(!storage.isTrackingEnabled)
        storage.setTrackingEnabled(true)
        #expect(storage.isTrackingEnabled)
        #expect(shelf.texts["CapacitorStorage.jeethtravel.trackingEnabled"] == "true")
        storage.setTrackingEnabled(false)
        #expect(shelf.texts["CapacitorStorage.jeethtravel.trackingEnabled"] == "false")
    }

    @Test func `while tracking is off, nothing is stored`() throws {
        #expect(try storage.storeLocationWithoutUpload(fix, userId: "ada", now: 1_700_000_010) == nil)
        #expect(try storage.loadPendingLocations().isEmpty)
        #expect(try storage.currentLocation() == nil)
    }

    @Test func `a location stays until the backend has confirmed it, and keeps its fixes over a restart`() throws {
        storage.setTrackingEnabled(true)
        #expect(try storage.storeLocationWithoutUpload(fix, userId: "ada", now: 1_700_000_010) == .taken)
        let late = Fix(id: "late", lat: 61, lng: 24, timestamp: 1_700_000_500)
        let back = Fix(id: "back", lat: 60, lng: 24, timestamp: 1_700_001_000)
        for one in [back, late] {
            _ = try storage.storeLocationWithoutUpload(one, userId: "ada", now: 1_700_001_010)
        }
        // Each call has read the data written by the previous one.
        let pending = try storage.loadPendingLocations()
        #expect(pending.map(\.id) == ["one", "late", "back"])
        #expect(pending.map(\.uploaded) == [false, false, false])
        try storage.confirmUpload(of: pending[0])
        #expect(try storage.loadPendingLocations().map(\.uploaded) == [true, false, false])
        #expect(try storage.currentLocation()?.id == "back")
    }

    @Test func `the current location is the last fix, and a stay ends where tracking was turned off`() throws {
        storage.setTrackingEnabled(true, now: 1_700_000_000)
        for (id, time) in [("a", 0.0), ("b", 1)] {
            let fix = Fix(id: id, lat: 60 + time / 10_000, lng: 24, timestamp: 1_700_000_000 + time)
            _ = try storage.storeLocationWithoutUpload(fix, userId: "ada", now: 1_700_000_010)
        }
        #expect(try storage.currentLocation()?.id == "b")
        storage.setTrackingEnabled(false, now: 1_700_000_001)
        storage.setTrackingEnabled(true, now: 1_700_000_007)
        let last = Fix(id: "c", lat: 60, lng: 24, timestamp: 1_700_000_008)
        _ = try storage.storeLocationWithoutUpload(last, userId: "ada", now: 1_700_000_010)
        #expect(try storage.loadPendingLocations().map(\.waitTime) == [1, 0])
    }

    @Test func `a pending location has the seed's names in JSON`() throws {
        let pending = storage.appendOrUpdateLocation(newLocation: fix, userId: "ada", pending: [], now: 1_700_000_010)
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(pending)) as? [[String: Any]]
        let names = Set(try #require(json?.first).keys)
        #expect(
            names == ["id", "user", "lat", "lng", "accuracy", "timestamp", "wait_time", "uploaded", "removed", "fixes"])
    }

    @Test func `unreadable stored data is not overwritten`() {
        storage.setTrackingEnabled(true)
        shelf.texts["CapacitorStorage.jeethtravel.pending"] = "[{"
        #expect(throws: DecodingError.self) {
            try storage.storeLocationWithoutUpload(fix, userId: "ada", now: 1_700_000_010)
        }
        #expect(shelf.texts["CapacitorStorage.jeethtravel.pending"] == "[{")
    }

    @Test func `a sign-in is stored, renewed in time, and ended`() throws {
        #expect(try storage.loadAuth() == nil)
        let auth = FirebaseAuth(userId: "ada", idToken: "t", refreshToken: "r", expiresAt: 1_700_003_600)
        try storage.saveAuth(auth)
        #expect(try storage.loadAuth() == auth)
        #expect(!auth.needsRefresh(now: 1_700_003_539))
        #expect(auth.needsRefresh(now: 1_700_003_540))
        try storage.saveAuth(nil)
        #expect(try storage.loadAuth() == nil)
    }
}

private final class Shelf: Preferences {
    var texts: [String: String] = [:]

    func string(forKey key: String) -> String? { texts[key] }
    func setString(_ text: String?, forKey key: String) { texts[key] = text }
}
