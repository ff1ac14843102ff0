import Wording

/// A duration is written as numbers with units: `200ms`, `1.5s`, `2m30s`, `2h`, `7d`.
extension Duration: OptionValue {
    package init?(word: String) { self.init(text: word) }

    /// A whole number of days is written in days. Where ``text`` would leave out digits, all are written, in seconds.
    package var word: String {
        let days = self / .seconds(86_400)
        if days >= 1, let whole = Int(exactly: days) { return "\(whole)d" }
        return Duration(text: text) == self ? text : "\(self / .seconds(1))s"
    }

    package static var placeholder: String { "DURATION" }
    package static var expectation: String { "a duration like 90s or 5m" }
}
