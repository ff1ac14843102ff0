import Queue
import Terminal
import Wording

extension LaneState {
    /// `20/s, 300/min`
    var limitsText: String { limits.isEmpty ? "none" : limits.map(\.limit.text).joined(separator: ", ") }

    /// The part of the permitted calls that was used in the last 60 seconds.
    var usedShare: Double? { permittedPerMinute.map { Double(callsLastMinute) / $0 } }

    var usedText: String {
        usedShare.map { Readable.percent(Int(($0 * 10_000).rounded()), of: 10_000) } ?? "-"
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
