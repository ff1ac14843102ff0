import Locations
import Postgres
import Processes
import Queue
import Sinks

extension Application {
    /// Finds problems that keep locations from the sinks.
    func examineSinks(on database: isolated Connection) throws -> [Finding] {
        let sinks = try SinkStore().sinks(on: database)
        guard !sinks.isEmpty else { return [] }
        let loads = try UploadStore().loads(on: database)
        return try sinks.flatMap { sink in
            if let loss = sink.loss { return [Finding.problem("sinks", loss.problem, loss.remedy)] }
            let lane = try lane(of: sink, queue.lane(sink.lane, on: database).condition)
            let findings =
                [secret(of: sink), lane].compactMap(\.self) + findings(of: sink, loads[sink.id] ?? SinkLoad())
            return findings.isEmpty ? [.ok("sinks", "\(sink.name) gets what it asks for")] : findings
        }
    }

    private func findings(of sink: StoredSink, _ load: SinkLoad) -> [Finding] {
        var findings: [Finding] = []
        if load.signedOut > 0 {
            findings.append(
                .warning(
                    "sinks",
                    "\(Words.count(load.signedOut, "tracker")) of \(sink.name) \(load.signedOut == 1 ? "has" : "have") no sign-in "
                        + "that holds: the locations are only stored",
                    "'waypost trackers show USER' says why; the app signs in with PUT /v1/trackers/{user}/sign-in"))
        }
        if load.refused > 0 {
            findings.append(
                .warning(
                    "sinks", "\(sink.name) has refused \(Words.count(load.refused, "location"))",
                    "when the sink takes them, run 'waypost locations retry'"))
        }
        return findings
    }

    /// The reason why a sink gets no calls, or only probes; nil if it gets calls.
    private func lane(of sink: StoredSink, _ condition: LaneCondition) -> Finding? {
        switch condition {
        case .open: nil
        case .probing:
            .warning("sinks", "single calls test whether \(sink.name) works again", .blockedLane(sink.lane))
        case .blocked(_, let because):
            .warning("sinks", "\(sink.name) gets nothing at present: \(because)", .blockedLane(sink.lane))
        case .paused: .warning("sinks", "\(sink.name) gets nothing: its lane is paused", .pausedLane(sink.lane))
        case .stopped(_, LaneCondition.copied): nil
        case .stopped(_, let because):
            .problem("sinks", "\(sink.name) gets nothing: \(because)", .stoppedLane(sink.lane))
        }
    }

    /// A secret that this machine's keys can't decrypt is a problem for workers with the same settings.
    private func secret(of sink: StoredSink) -> Finding? {
        guard let sealed = sink.sealed else { return nil }
        do {
            guard let keys = try sealingKeys() else {
                return .warning(
                    "sinks", "the secret of \(sink.name) is sealed, and this machine has no key",
                    "workers need WAYPOST_SEALING_KEYS; set it here as well to have it checked")
            }
            _ = try keys.open(sealed, for: sink.context)
            return nil
        } catch {
            return .problem(
                "sinks", "the secret of \(sink.name) can't be opened: \(error)",
                "set WAYPOST_SEALING_KEYS to the key that sealed it, or give the secret again with 'waypost sinks set'")
        }
    }
}

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
