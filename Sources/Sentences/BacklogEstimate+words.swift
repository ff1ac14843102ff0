import Operations
package import Queue

extension BacklogEstimate {
    /// `45 s`, or why it can't be estimated.
    package var text: String {
        switch self {
        case .nothingWaits: "-"
        case .paused: "paused"
        case .noWorker: "no worker"
        case .limits(let duration): Readable.duration(duration)
        case .recent(let duration, _): "\(Readable.duration(duration))*"
        case .unknown: "unknown"
        }
    }

    package var seconds: Double? {
        switch self {
        case .nothingWaits: 0
        case .limits(let duration), .recent(let duration, _): duration / .seconds(1)
        case .paused, .noWorker, .unknown: nil
        }
    }

    /// What the estimate rests on, as one word.
    package var basis: String {
        switch self {
        case .nothingWaits: "nothing waits"
        case .paused: "paused"
        case .noWorker: "no worker"
        case .limits: "limits"
        case .recent: "recent rate"
        case .unknown: "unknown"
        }
    }
}
