import Locations
import Postgres
import Processes
import Queue

extension Application {
    /// Finds positions of phones that were refused in the last day. Intended refusals and single bad measurements are
    /// not reported.
    func examinePhones(on database: isolated Connection) throws -> [Finding] {
        let tallies = try TrackerStore().recentRefusals(within: .seconds(86_400), on: database)
        return tallies.filter { !$0.reason.isIntended }.map { tally in
            let whose =
                tally.trackers == 0
                ? "of devices without a tracker" : "of \(Words.count(tally.trackers, "tracker"))"
            let text =
                "\(Words.count(tally.count, "position")) \(whose) not kept, some in the last day: \(tally.reason.rawValue)"
            guard let remedy = tally.reason.remedy else { return .ok("phones", text) }
            return .warning("phones", text, remedy)
        }
    }
}

extension FixRefusal {
    /// Nil for a refusal that is normal from time to time.
    fileprivate var remedy: String? {
        switch self {
        case .inTheFuture: "set the phone's clock; it sends them again; 'waypost trackers show USER' says whose it is"
        case .encrypted: "delete the encryption key in OwnTracks' preferences"
        case .noTracker: "run 'waypost trackers start' for the user that the phone names"
        case .unreadable: "compare the app's settings with docs/api.md, Phones"
        case .tooOld: "set the phone's clock"
        case .notOnEarth, .nullIsland, .invalidAccuracy, .invalidWaitTime, .tooFast, .notValid, .untracked, .off: nil
        }
    }
}
