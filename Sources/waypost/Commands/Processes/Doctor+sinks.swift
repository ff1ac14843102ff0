import Locations
import Postgres
import Queue
import Sentences
import Sinks

extension Application {
    /// What keeps locations from the sinks.
    func examineSinks(on database: isolated Connection) throws -> [Finding] {
        let sinks = try SinkStore().sinks(on: database)
        guard !sinks.isEmpty else { return [] }
        let loads = try UploadStore().loads(on: database)
        return sinks.flatMap { sink in
            [secret(of: sink)].compactMap(\.self) + findings(of: sink, loads[sink.id] ?? SinkLoad())
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
        return findings.isEmpty ? [.ok("sinks", "\(sink.name) gets what it asks for")] : findings
    }

    /// A secret that this machine's key does not open is a problem for workers with the same settings.
    private func secret(of sink: StoredSink) -> Finding? {
        guard let sealed = sink.sealed else { return nil }
        do {
            guard let keys = try sealingKeys() else {
                return .warning(
                    "sinks", "the secret of \(sink.name) is sealed, and here is no key",
                    "workers need WAYPOST_SEALING_KEYS; set it here as well to have it checked")
            }
            _ = try keys.open(sealed, for: sink.context)
            return nil
        } catch {
            return .problem(
                "sinks", "the secret of \(sink.name) can't be opened: \(error)",
                "set WAYPOST_SEALING_KEYS to the key that sealed it, or give the secret anew with 'waypost sinks set'")
        }
    }
}
