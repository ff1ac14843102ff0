package import Queue
import Wording

extension BacklogEstimate {
    /// The estimated time, such as `45 s`, or the reason why there is none.
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

    /// The basis of the estimate, in short.
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
