import Queue
import Terminal
import Wording

/// The reason why a lane makes no calls now, or only slow ones, for a person who waits for it.
struct LaneWait: Sendable, Equatable {
    enum Kind: Sendable { case stopped, paused, blocked, noWorker, failing, limits }

    let lane: String
    let kind: Kind
    /// `lane nominatim is blocked until 03:43:00`
    let words: String
    /// Further advice for the first time, such as a command.
    let advice: String

    /// Limits are not mentioned if the rest takes no longer than this, in seconds.
    private static let briefest = 10.0

    /// Nil if nothing waits, or if only the workers' speed matters.
    init?(_ lane: LaneState) {
        guard lane.ready + lane.later > 0 else { return nil }
        let name = lane.lane
        func time(_ moment: Duration) -> String { Words.time(moment, asOf: lane.asOf) }
        switch lane.condition {
        case .stopped(let since, let because):
            self.init(
                name, .stopped, "lane \(name) has been stopped since \(time(since))",
                "\(because); after that is repaired, 'waypost lanes resume \(name)' restarts it")
        case .paused(let since):
            self.init(
                name, .paused, "lane \(name) has been paused since \(time(since))",
                "'waypost lanes resume \(name)' restarts it")
        case .blocked(let until, let because):
            let reason = lane.failures.map(\.reason).flatMap { because.hasSuffix($0) ? " (\($0))" : nil } ?? ""
            self.init(name, .blocked, "lane \(name) is blocked until \(time(until))\(reason)", because)
        case _ where lane.workers == 0:
            self.init(
                name, .noWorker, "no worker serves lane \(name)",
                "start one with 'waypost worker', with the settings of that provider")
        case .open, .probing:
            if let failures = lane.failures, failures.isFrequent {
                self.init(
                    name, .failing, "calls of lane \(name) fail: \(failures.reason)",
                    "\(Readable.count(failures.failed)) of \(Words.count(failures.calls, "call")) failed in the last 10 "
                        + "minutes")
                return
            }
            guard case .limits(let left) = lane.estimate, left > .seconds(Self.briefest) else { return nil }
            self.init(
                name, .limits, "lane \(name) permits \(lane.limitsText)",
                "\(Words.count(lane.callsToCome, "call")) in it \(lane.callsToCome == 1 ? "takes" : "take") "
                    + "\(Readable.duration(left)) or more")
        }
    }

    /// No worker runs on this database.
    static let nobody = LaneWait(
        "", .noWorker, "no worker is running on this database", "start one with 'waypost worker'")

    private init(_ lane: String, _ kind: Kind, _ words: String, _ advice: String) {
        (self.lane, self.kind, self.words, self.advice) = (lane, kind, words, advice)
    }

    /// `Waiting: lane nominatim is paused since 03:43:00; 'waypost lanes resume nominatim' opens it.`
    var sentence: String { "Waiting: \(words); \(advice.hasSuffix(".") ? String(advice.dropLast()) : advice)." }
}
