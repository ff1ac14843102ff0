extension SettingsReader {
    /// The text of `name`. Without a default, it must be set. A mistake never contains the value, so secrets are safe.
    package mutating func text(_ name: String, default fallback: String? = nil) -> String {
        if let text = optionalText(name) ?? fallback { return text }
        mistake("\(name) is not set")
        return ""
    }

    package mutating func integer(
        _ name: String, default fallback: Int, in range: ClosedRange<Int> = 0...Int.max
    ) -> Int {
        let bounds =
            range.upperBound == .max
            ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        return value(name, default: fallback, takes: "a whole number \(bounds)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package mutating func duration(
        _ name: String, default fallback: Duration, in range: ClosedRange<Duration>
    ) -> Duration {
        let takes = "a duration from \(range.lowerBound.text) to \(range.upperBound.text), such as 200ms, 1.5s or 5m"
        return value(name, default: fallback, takes: takes) { text in
            Duration(text: text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package mutating func flag(_ name: String, default fallback: Bool) -> Bool {
        value(name, default: fallback, takes: "true or false") { text in
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        }
    }

    /// One case of an enum, by its raw value.
    package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, default fallback: Choice
    ) -> Choice {
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return value(name, default: fallback, takes: "one of: \(choices)") { Choice(rawValue: $0) }
    }
}
