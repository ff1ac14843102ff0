import Processes
import Queue

/// One line of the errors that `waypost top` collects.
struct TopTrouble: Hashable, Sendable {
    let at: Duration
    let lane: String
    let text: String

    init(_ trouble: CallTrouble) {
        (at, lane) = (trouble.at, trouble.lane)
        let took = trouble.took.map { ", took \(Readable.duration($0))" } ?? ""
        let reason = trouble.reason.map { ": \($0)" } ?? ""
        text = "\(Self.words(trouble.outcome))\(reason) (worker \(trouble.worker ?? "gone")\(took))"
    }

    init(_ dead: JobState) {
        (at, lane) = (dead.moment, dead.lane)
        text = "job \(dead.id) is dead: \(dead.reason ?? "it gave no reason")"
    }

    private static func words(_ outcome: CallOutcome) -> String {
        switch outcome {
        case .retry: "a call failed and is retried"
        case .failed: "a call failed for good"
        case .rate: "the provider refused a call as too fast"
        case .quota: "the provider refused a call"
        default: "a call was lost with its worker"
        }
    }
}
