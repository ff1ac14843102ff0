package import Geocoding
package import Locations
package import Tracking

/// A tracker, with the numbers of its rows and its newest fix if a reader requested them.
package struct TrackerView: Shaped {
    let state: TrackerState
    /// Only at the command line.
    var fixes: (all: Int, doubted: Int)?
    var locations: (all: Int, due: Int, refused: Int)?
    var lastFix: Fix?

    package init(_ state: TrackerState, _ counts: LocationCounts? = nil) {
        self.state = state
        locations = counts.map { ($0.locations, $0.due, $0.refused) }
    }

    package init(_ state: TrackerState, _ counts: TrackerCounts, lastFix: Fix?) {
        self.state = state
        fixes = (counts.fixes, counts.doubtedFixes)
        locations = (counts.locations, counts.due, counts.refused)
        self.lastFix = lastFix
    }

    package static let shape = Shape<TrackerView>("Tracker", "A user's tracker.") {
        Member("user", example: "ada") { $0.state.user }
        Member("tracking", "True if fixes are stored.", example: true) { $0.state.isOn }
        Member("switched_at", "When tracking was last turned on or off.", example: Moment(1_795_169_700)) {
            $0.state.switchedAt.map { Moment($0) }
        }
        Member("last_fix_at", example: Moment(1_795_169_700)) { $0.state.lastFixAt.map { Moment($0) } }
        Member("radius", "Metres. A fix this near to a location extends its wait time.", example: 60) {
            $0.state.rule.radius
        }
        Member("top_speed", "Metres a second. A faster fix is doubted.", example: 350) { $0.state.rule.topSpeed }
        Member("longest_gap", "Seconds. A stay ends if there is no fix for longer than that.", example: 43_200) {
            $0.state.rule.longestGap
        }
        Member("keeps_doubted", "True if doubted fixes are stored.", example: true) { $0.state.keepsDoubted }
        Member("newest_first", "True if the newest location is uploaded first.") { $0.state.newestFirst }
        Member("sink", "The sink of the locations; null if they are only stored.", example: "app") { $0.state.sink }
        Member("sign_in", "The state of the user's sign-in, if the sink needs one.", example: "missing") {
            $0.state.signIn.word
        }.choices(["unneeded", "missing", "valid", "refused"])
        Member("sign_in_refusal", "Why the sign-in was refused.") { $0.state.signIn.refusal }
        Member("refused_fixes", "Fixes that were not kept, by reason. A fix that is sent again counts again.") {
            $0.state.refused
        }
        Member(ifAny: "fixes", "Only at the command line.") { $0.fixes?.all }
        Member(ifAny: "doubted_fixes", "Only at the command line.") { $0.fixes?.doubted }
        Member(ifAny: "locations", "Stored locations, if they were requested.") { $0.locations?.all }
        Member(ifAny: "due", "Locations that the sink does not have as they are.") { $0.locations?.due }
        Member(ifAny: "refused", "Locations that the sink does not accept.") { $0.locations?.refused }
        Member(ifAny: "last_fix", "The newest believed fix; only at the command line.") { $0.lastFix }
    }
}

extension SignInState {
    fileprivate var word: String {
        switch self {
        case .unneeded: "unneeded"
        case .missing: "missing"
        case .valid: "valid"
        case .refused: "refused"
        }
    }

    fileprivate var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
}

extension FixRefusal: JSONRepresentable {}

extension FixIntake: Shaped {
    package static let shape = Shape<FixIntake>("FixSummary", "The results of the fixes of one request.") {
        Member("taken", "Stored as part of a location.", example: 1) { $0.fates[.taken, default: 0] }
        Member("repeated", "Stored before.", example: 0) { $0.fates[.repeated, default: 0] }
        Member("doubted", "Stored, but too far from the fix before for the time between them.", example: 0) {
            $0.fates[.doubted, default: 0]
        }
        Member("too_fast", "Like doubted, but not stored.", example: 0) { $0.fates[.refused(.tooFast), default: 0] }
        Member("untracked", "Not stored, because tracking was off then.", example: 0) {
            $0.fates[.refused(.untracked), default: 0]
        }
        Member("refused", "Not stored, because they can't be true or can't be read.", example: 0) { $0.refused }
        Member("refusals", "The first hundred.", example: []) { $0.refusals }
    }
}

extension FixIntake.Refusal: Shaped {
    package static let shape = Shape<Self>("RefusedFix", "A fix that was not stored.") {
        Member("index", example: 1) { $0.index }
        Member("reason", example: "The fix is in the future.") { "The fix \($0.problem.reason)." }
        Member("code", "The reason as a word.", example: .inTheFuture) { $0.problem.refusal }
        Member("may_retry", "The fix is less than a day ahead of the clock. Send it again when its time has come.") {
            $0.problem.secondsUntilGood != nil
        }
    }
}

extension RefusedFixes: Shaped {
    package static let shape = Shape<RefusedFixes>("RefusedFixes", "Fixes that were not kept for one reason.") {
        Member("reason", example: .inTheFuture) { $0.reason }
        Member("count", example: 12) { $0.count }.bounds(1)
        Member("last_at") { Moment($0.lastAt) }
    }
}

extension ErasedTracker: Shaped {
    package static let shape = Shape<ErasedTracker>("Erased", "The numbers of deleted rows.") {
        Member("fixes", example: 2) { $0.fixes }
        Member("locations", example: 1) { $0.locations }
    }
}

extension Fix: Shaped {
    package static let shape = Shape<Fix>("CurrentLocation", "A user's newest believed fix.") {
        Member("lat", example: 60.18) { $0.lat }
        Member("lng", example: 24.94) { $0.lng }
        Member("accuracy", "Metres.", example: 5) { $0.accuracy }
        Member("timestamp") { Moment($0.timestamp) }
    }
}

/// A location with its place, if the place is known.
package struct LocationView: Shaped {
    let location: StoredLocation
    let place: Placemark?

    package init(_ location: StoredLocation, at place: Placemark?) {
        (self.location, self.place) = (location, place)
    }

    package static let shape = Shape<LocationView>("Location", "A stay of a user.") {
        Member("id", example: "FoIO8ULIQVkn1EL4OmAC") { $0.location.id }
        Member("user", example: "ada") { $0.location.user }
        Member("lat", example: 60) { $0.location.lat }
        Member("lng", example: 24.94) { $0.location.lng }
        Member("accuracy", "Metres.", example: 5) { $0.location.accuracy }
        Member("timestamp") { Moment($0.location.timestamp) }
        Member("wait_time", "Seconds from the timestamp to the end of the last fix there.", example: 60) {
            $0.location.waitTime
        }.bounds(0)
        Member("uploaded") { $0.location.uploaded }
        Member("place", "The address, if it is known: see `waypost locations name`.") { $0.place?.matchedAddress }
    }
}

/// The event of a user's last location.
package struct LocationEvent: Shaped {
    let location: LocationView
    let lastFix: Fix?

    package init(_ location: LocationView, lastFix: Fix?) { (self.location, self.lastFix) = (location, lastFix) }

    package static let shape = Shape<LocationEvent>("LocationEvent", "A user's last location.") {
        Including { $0.location }
        Member("last_fix", "The newest believed fix.") { $0.lastFix }
    }
}

extension Placemark {
    /// The address on one line; nil if the place has no name.
    package var matchedAddress: String? { problems.contains(.unnamed) ? nil : addressText() }
}
