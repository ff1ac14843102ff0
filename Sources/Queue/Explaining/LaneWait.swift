import Processes

/// The reason why a lane makes no calls now, or only slow ones, for a person who waits for it.
package struct LaneWait: Sendable, Equatable {
    package enum Kind: Sendable { case stopped, paused, blocked, noWorker, failing, limits }

    package let lane: String
    package let kind: Kind
    /// `lane nominatim is blocked until 03:43:00`
    package let words: String
    /// The cause, or the rest of the work; empty if `words` say everything.
    package let detail: String

    /// Limits are not mentioned if the rest takes no longer than this, in seconds.
    private static let briefest = 10.0

    /// Nil if nothing waits, or if only the workers' speed matters.
    package init?(_ lane: LaneState) {
        guard lane.ready + lane.later > 0 else { return nil }
        let name = lane.lane
        func time(_ moment: Duration) -> String { Words.time(moment, asOf: lane.asOf) }
        switch lane.condition {
        case .stopped(let since, let because):
            self.init(name, .stopped, "lane \(name) has been stopped since \(time(since))", because)
        case .paused(let since):
            self.init(name, .paused, "lane \(name) has been paused since \(time(since))", "")
        case .blocked(let until, let because):
            let reason = lane.failures.map(\.reason).flatMap { because.hasSuffix($0) ? " (\($0))" : nil } ?? ""
            self.init(name, .blocked, "lane \(name) is blocked until \(time(until))\(reason)", because)
        case _ where lane.workers == 0:
            self.init(name, .noWorker, "no worker serves lane \(name)", "")
        case .open, .probing:
            if let failures = lane.failures, failures.isFrequent {
                self.init(name, .failing, "calls of lane \(name) fail: \(failures.reason)", failures.share)
                return
            }
            guard case .limits(let left) = lane.estimate, left > .seconds(Self.briefest) else { return nil }
            self.init(
                name, .limits, "lane \(name) permits \(lane.limits.text)",
                "\(Words.count(lane.callsToCome, "call")) in it \(lane.callsToCome == 1 ? "takes" : "take") "
                    + "\(Readable.duration(left)) or more")
        }
    }

    /// No worker runs on this database.
    package static let nobody = LaneWait("", .noWorker, "no worker is running on this database", "")

    private init(_ lane: String, _ kind: Kind, _ words: String, _ detail: String) {
        (self.lane, self.kind, self.words, self.detail) = (lane, kind, words, detail)
    }
}

extension [LimitState] {
    /// `20/s, 300/min`
    package var text: String { isEmpty ? "none" : map(\.limit.text).joined(separator: ", ") }
}
