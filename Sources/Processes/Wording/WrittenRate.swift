/// A number of calls in a time, as a person writes it: `20/s`, `1/2s`, `60/min`, `1000/h`, `2500/d`. A minute may
/// also be `m`, as in a duration.
///
/// All doors have the same bounds: the command line, the API, and the description of a service.
package struct WrittenRate: Hashable, Sendable {
    package static let permittedCalls = 1e-6...1e9
    package static let permittedSeconds = 1...31_622_400

    package let calls: Double
    package let seconds: Int

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let calls = Double(parts[0]), Self.permittedCalls.contains(calls) else { return nil }
        let digits = parts[1].prefix { $0.isASCII && $0.isNumber }
        guard let unit = Self.units.first(where: { $0.name == parts[1].dropFirst(digits.count) }),
            let count = digits.isEmpty ? 1 : Int(digits), Self.permittedSeconds.contains(count),
            Self.permittedSeconds.contains(count * unit.seconds)
        else { return nil }
        (self.calls, seconds) = (calls, count * unit.seconds)
    }

    /// The length of a time in the largest unit of which it is a multiple: `s`, `2s`, `min`, `d`.
    package static func text(_ seconds: Double) -> String {
        guard let unit = units.last(where: { seconds.remainder(dividingBy: Double($0.seconds)) == 0 }) else {
            return "\(seconds)s"
        }
        let count = Int(clamping: seconds / Double(unit.seconds))
        return count == 1 ? unit.name : "\(count)\(unit.name)"
    }

    private static let units = Duration.units.filter { $0.nanoseconds >= 1e9 }
        .map { (name: $0.name, seconds: Int($0.nanoseconds / 1e9)) }
}
