/// Formats numbers for people.
package enum Readable {
    /// `1,234,567`
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let groups = digits.indices.map { index in
            (index > 0 && (digits.count - index).isMultiple(of: 3) ? "," : "") + String(digits[index])
        }
        return (number < 0 ? "-" : "") + groups.joined()
    }

    /// `240 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`
    package static func duration(_ duration: Duration) -> String {
        let milliseconds = max(duration / .milliseconds(1), 0)
        guard milliseconds >= 9.95 else { return "\(tenths(milliseconds)) ms" }
        guard milliseconds >= 999.5 else { return "\(Int(clamping: milliseconds)) ms" }
        guard milliseconds >= 59_950 else { return "\(tenths(milliseconds / 1_000)) s" }
        let seconds = Int(clamping: milliseconds / 1_000)
        return switch seconds {
        case ..<3_600: pair(seconds, 60, "min", 1, "s")
        case ..<86_400: pair(seconds, 3_600, "h", 60, "min")
        default: pair(seconds, 86_400, "d", 3_600, "h")
        }
    }

    /// `512 B`, `1.5 kB`, `3.2 GB`
    package static func bytes(_ count: Int) -> String {
        guard count.magnitude >= 1_000 else { return "\(count) B" }
        var value = Double(count) / 1_000
        var units = ["kB", "MB", "GB", "TB"][...]
        while abs(value) >= 999.95, units.count > 1 {
            value /= 1_000
            units.removeFirst()
        }
        return "\(tenths(value)) \(units.first ?? "")"
    }

    /// `42%`; 100% only if all is done, and 0% only if nothing is.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0%" }
        let percent = Int(clamping: Double(part) / Double(whole) * 100)
        return part <= 0 || part >= whole ? "\(percent)%" : "\(min(max(percent, 1), 99))%"
    }

    /// `0.4/s`, `310/s`, `12,400/s`. A low rate is shown by the minute or the hour, so that only zero reads as zero.
    package static func rate(_ perSecond: Double) -> String {
        switch perSecond {
        case let rate where !(rate >= 0): "0/s"
        case 10...: "\(count(Int(clamping: perSecond)))/s"
        case 0.1..., 0: "\(tenths(perSecond))/s"
        case (1.0 / 60)...: "\(tenths(perSecond * 60))/min"
        default: "\(tenths(max(perSecond * 3_600, 0.1)))/h"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? "\(Int(clamping: rounded))" : "\(rounded)"
    }

    private static func pair(_ seconds: Int, _ large: Int, _ name: String, _ small: Int, _ rest: String) -> String {
        let smaller = seconds % large / small
        return "\(seconds / large) \(name)" + (smaller == 0 ? "" : " \(smaller) \(rest)")
    }
}
