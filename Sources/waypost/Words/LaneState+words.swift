import Operations
import Queue
import Terminal

extension String {
    /// Fit for a lane or a chain: one plain word.
    var isName: Bool {
        (1...60).contains(utf8.count)
            && utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
            }
    }
}

extension LaneState {
    /// `20/s, 300/min`
    var limitsText: String { limits.isEmpty ? "none" : limits.map(\.limit.text).joined(separator: ", ") }

    /// The share of the permitted calls that the last 60 seconds used.
    var usedShare: Double? { permittedPerMinute.map { Double(callsLastMinute) / $0 } }

    var usedText: String {
        usedShare.map { Readable.percent(Int(($0 * 10_000).rounded()), of: 10_000) } ?? "-"
    }
}

/// A closed lane stands out.
func conditionStyle(_ text: String) -> Style? {
    switch text.prefix(4) {
    case "open": .green
    case "prob": .yellow
    default: .red
    }
}
