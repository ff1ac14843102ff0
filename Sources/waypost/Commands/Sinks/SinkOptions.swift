import Contacts
import Glibc
import Processes
import Queue
import Sinks
import Terminal

extension SinkKind: OptionValue {
    /// The default limits for a sink of this kind. Firestore recommends fewer than 500 writes a second at the start.
    var limits: [RateLimit] {
        RateLimit(self == .firestore ? 20 : 10, per: .seconds(1)).map { [$0] } ?? []
    }

    /// How many trackers share a call. A call to Firestore carries the token of one user, unless one sign-in is shared
    /// by all.
    var batch: Int { self == .firestore ? 1 : Self.sharedBatch }

    static let sharedBatch = 100
}

/// The content of a file, or of standard input for `-`, without white space around it. Nil without a file.
func secret(in file: String?) throws(UsageError) -> String? {
    guard let file else { return nil }
    let text = file == "-" ? SettingsReader.text(in: STDIN_FILENO) : SettingsReader.text(of: file)
    guard let secret = text else { throw UsageError("can't read the secret from \(file)") }
    guard !secret.isEmpty else { throw UsageError("there is no secret in \(file)") }
    return secret
}

/// No sink has this name.
struct NoSinkOfThisName: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no sink called \"\(name)\"; 'waypost sinks list' shows all" }
}

extension Application {
    /// Checks whether a sink can be made of these settings. If not, throws a usage error.
    func check(_ kind: SinkKind, _ settings: SinkSettings, _ secret: String?) throws(UsageError) {
        do {
            let description = SinkDescription(kind: kind, settings: settings, secret: secret)
            _ = try description.makeSink(self.settings.providers.clientOptions)
            try description.checkAddresses()
        } catch { throw UsageError("\(error)") }
    }
}
