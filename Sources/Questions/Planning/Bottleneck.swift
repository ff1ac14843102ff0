import Processes
import Queue

/// The limit that decides how long work takes.
package enum Bottleneck: Hashable, Sendable {
    case nothing
    /// A person paused the lane, or the cluster did.
    case pause(lane: String)
    /// The limits of the lane: more workers change nothing.
    case limits(lane: String)
    /// The most calls that workers may have in hand at once.
    case places(lane: String)
    /// `callsAtOnce` of the lane, which applies to all workers together.
    case callsAtOnce(lane: String)
    /// The machine on which the provider runs.
    case machine(lane: String)
    /// The calls of one question come one after another, and there are few questions.
    case calls(lane: String)
}

extension Scenario {
    /// Returns the limit that decided how long `run` took: the one that by itself needs nearly the whole time.
    func bottleneck(of run: SimulatedRun) -> Bottleneck {
        let paused = lanes.first { $0.outlook.isPaused }
        if let paused, run.seconds == nil { return .pause(lane: paused.name) }
        guard let seconds = run.seconds, seconds > 0 else { return .nothing }
        let needs = zip(lanes, run.lanes).flatMap { lane, done -> [(Bottleneck, Double)] in
            let calls = done.calls + done.othersCalls
            guard done.calls > 0 else { return [] }
            let slots = Int(clamping: (Double(calls) / (1 - min(lane.missedSlots, 0.99))).rounded(.down))
            let limited = lane.outlook.limits.wait(for: slots, after: lane.outlook.blockedSeconds)
            let places = lane.callsPerWorker.map { min($0, callsAtOnce) } ?? callsAtOnce
            let placeTime = done.busy + Double(calls) * (costs.claim + costs.record)
            let isShared = if case .shared = lane.times { true } else { false }
            return [
                (.limits(lane: lane.name), lane.outlook.limits.isEmpty ? 0 : limited),
                (isShared ? .machine(lane: lane.name) : .places(lane: lane.name), placeTime / Double(places * workers)),
                (.machine(lane: lane.name), isShared ? lane.times.mean(of: Double(done.subjects)) : 0),
                (.callsAtOnce(lane: lane.name), lane.callsAtOnce.map { placeTime / Double($0) } ?? 0),
            ]
        }
        guard let (most, need) = needs.max(by: { $0.1 < $1.1 }) else { return .nothing }
        if need >= 0.7 * seconds { return most }
        let last = run.lanes.filter { $0.calls > 0 }.max { $0.lastEnd < $1.lastEnd }
        return last.map { .calls(lane: $0.name) } ?? .nothing
    }
}

extension Bottleneck {
    /// The limit in one word, and its lane.
    package var words: (what: String, lane: String?) {
        switch self {
        case .nothing: ("nothing", nil)
        case .pause(let lane): ("pause", lane)
        case .limits(let lane): ("limits", lane)
        case .places(let lane): ("workers", lane)
        case .callsAtOnce(let lane): ("calls_at_once", lane)
        case .machine(let lane): ("machine", lane)
        case .calls(let lane): ("latency", lane)
        }
    }
}
