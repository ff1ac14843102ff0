/// A duration is written as a number and its unit: `200ms`, `1.5s`, `5m`, `2h`, `7d`.
extension Duration: OptionValue {
    /// The units from the longest to the shortest, in nanoseconds.
    private static let units: [(name: String, length: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
        ("s", 1_000_000_000), ("ms", 1_000_000),
    ]

    package init?(word: String) {
        let number = word.prefix { $0.isNumber || $0 == "." }
        let name = word.dropFirst(number.count)
        guard let unit = Self.units.first(where: { $0.name == name }), let count = Double(number),
            let nanoseconds = Int64(exactly: (count * Double(unit.length)).rounded())
        else { return nil }
        self = .nanoseconds(nanoseconds)
    }

    /// The duration in the longest unit that needs no fraction. Below a minute, `1.5s` is easier to read than `1500ms`.
    package var word: String {
        let nanoseconds = components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        guard nanoseconds != 0 else { return "0s" }
        if let unit = Self.units.dropLast().first(where: { nanoseconds.isMultiple(of: $0.length) }) {
            return "\(nanoseconds / unit.length)\(unit.name)"
        }
        let isShort = nanoseconds.magnitude < 1_000_000_000
        let count = Double(nanoseconds) / (isShort ? 1_000_000 : 1_000_000_000)
        return (Int(exactly: count).map(String.init) ?? String(count)) + (isShort ? "ms" : "s")
    }

    package static var placeholder: String { "DURATION" }
    package static var expectation: String { "a duration like 90s or 5m" }
}
