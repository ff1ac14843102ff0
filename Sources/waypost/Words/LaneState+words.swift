import Processes
import Queue
import Terminal

extension LaneState {
    var usedText: String {
        usedShare.map { Readable.percent(Int(clamping: $0 * 10_000), of: 10_000) } ?? "-"
    }
}

/// The colour of a lane's state.
func conditionStyle(_ text: String) -> Style? {
    switch text.prefix(4) {
    case "open": .green
    case "prob": .yellow
    default: .red
    }
}
