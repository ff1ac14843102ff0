import Glibc
import Queue
import Terminal

/// Parts of sentences that several commands print.
enum Words {
    /// `10:05:00`, with the day when it isn't the same one; on this machine's wall clock.
    static func time(_ moment: Duration, asOf now: Duration) -> String {
        let (then, today) = (calendar(moment), calendar(now))
        let clock = "\(pair(then.tm_hour)):\(pair(then.tm_min)):\(pair(then.tm_sec))"
        if then.tm_year == today.tm_year, then.tm_yday == today.tm_yday { return clock }
        return "\(then.tm_year + 1_900)-\(pair(then.tm_mon + 1))-\(pair(then.tm_mday)) \(clock)"
    }

    /// `1 failure`, `1,234 failures`
    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(Readable.count(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    private static func calendar(_ moment: Duration) -> tm {
        var seconds = time_t(moment.components.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func pair(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

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
    /// `blocked until 10:05:00 because the provider asked for a pause`
    var conditionText: String {
        switch condition {
        case .open: "open"
        case .stopped(let since, let because): "stopped since \(Words.time(since, asOf: asOf)): \(because)"
        case .paused(let since): "paused since \(Words.time(since, asOf: asOf))"
        case .blocked(let until, let because): "blocked until \(Words.time(until, asOf: asOf)) because \(because)"
        case .probing: "probing after \(Words.count(faults, "failed call"))"
        }
    }

    var conditionWord: String {
        switch condition {
        case .open: "open"
        case .paused: "paused"
        case .stopped: "stopped"
        case .blocked: "blocked"
        case .probing: "probing"
        }
    }

    /// `20/s, 300/min`
    var limitsText: String { limits.isEmpty ? "none" : limits.map(\.limit.text).joined(separator: ", ") }

    /// The share of the permitted calls that the last full minute used.
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
