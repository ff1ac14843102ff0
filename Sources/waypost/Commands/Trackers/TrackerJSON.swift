import Locations
import Tracking

/// The form of a tracker in `trackers list --json` and `trackers show --json`. Only the latter contains counts, and the
/// position if that was requested.
struct TrackerJSON: Encodable {
    let user: String
    let tracking: Bool
    let switchedAt, lastFixAt: String?
    let radius, topSpeed, longestGap: Double
    let keepsDoubted, newestFirst: Bool
    let sink, signIn: String?
    let refusedFixes: [RefusedFixesJSON]
    var fixes, doubtedFixes, locations, notUploaded, refused: Int?
    var lastFix: FixJSON?

    init(_ state: TrackerState) {
        (user, tracking) = (state.user, state.isOn)
        (switchedAt, lastFixAt) = (state.switchedAt.map(Timestamp.text), state.lastFixAt.map(Timestamp.text))
        (radius, topSpeed, longestGap) = (state.rule.radius, state.rule.topSpeed, state.rule.longestGap)
        keepsDoubted = state.keepsDoubted
        (newestFirst, sink, signIn) = (state.newestFirst, state.sink, state.signIn.text)
        refusedFixes = state.refused.map(RefusedFixesJSON.init)
    }

    init(_ state: TrackerState, _ counts: TrackerCounts, lastFix: Fix?) {
        self.init(state)
        (fixes, doubtedFixes, locations) = (counts.fixes, counts.doubtedFixes, counts.locations)
        (notUploaded, refused) = (counts.due, counts.refused)
        self.lastFix = lastFix.map(FixJSON.init)
    }
}

/// Fixes that a tracker refused for one reason.
struct RefusedFixesJSON: Encodable {
    let reason: String
    let count: Int
    let lastAt: String

    init(_ refused: RefusedFixes) {
        (reason, count, lastAt) = (refused.reason.rawValue, refused.count, Timestamp.text(refused.lastAt))
    }
}

/// The last believed fix, in `trackers show --coordinates --json`.
struct FixJSON: Encodable {
    let lat, lng: Double
    let accuracy: Double?
    let timestamp: String

    init(_ fix: Fix) {
        (lat, lng, accuracy, timestamp) = (fix.lat, fix.lng, fix.accuracy, Timestamp.text(fix.timestamp))
    }
}

/// The form of a location in `locations list --json`.
struct LocationJSON: Encodable {
    let id, user, timestamp: String
    let lat, lng: Double
    let accuracy: Double?
    let waitTime: Double
    let uploaded: Bool
    /// The name of the place, if it is known.
    let place: String?

    init(_ location: StoredLocation, place: String? = nil) {
        (id, user, timestamp) = (location.id, location.user, Timestamp.text(location.timestamp))
        (lat, lng, accuracy) = (location.lat, location.lng, location.accuracy)
        (waitTime, uploaded, self.place) = (location.waitTime, location.uploaded, place)
    }
}
