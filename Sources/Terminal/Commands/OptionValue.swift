import Processes

/// A type whose values can be written as one word of a command line.
///
/// An enum of strings needs no code: `enum Format: String, CaseIterable, OptionValue { case csv, geojson }`.
package protocol OptionValue: ParameterValue where Single == Self {
    init?(word: String)

    /// The word that parses to this value. Help shows defaults in this form.
    var word: String { get }

    /// The placeholder of the value in help, if the declaration has none: `N`.
    static var placeholder: String { get }

    /// The permitted values, for an error such as "--limit takes a whole number".
    static var expectation: String { get }

    /// All permitted words, if there are few.
    static var choices: [String] { get }
}

extension OptionValue {
    package static var choices: [String] { [] }
}

extension String: OptionValue {
    package init?(word: String) { self = word }
    package var word: String { self }
    package static var placeholder: String { "TEXT" }
    package static var expectation: String { "a text" }
}

extension Int: OptionValue {
    package init?(word: String) { self.init(word) }
    package var word: String { String(self) }
    package static var placeholder: String { "N" }
    package static var expectation: String { "a whole number" }
}

extension Double: OptionValue {
    package init?(word: String) {
        guard let number = Double(word), number.isFinite else { return nil }
        self = number
    }

    package var word: String { String(self) }
    package static var placeholder: String { "NUMBER" }
    package static var expectation: String { "a number" }
}

extension Bool: OptionValue {
    package init?(word: String) { self.init(word) }
    package var word: String { String(self) }
    package static var placeholder: String { "BOOL" }
    package static var expectation: String { choices.alternatives }
    package static var choices: [String] { ["true", "false"] }
}

extension OptionValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package init?(word: String) { self.init(rawValue: word) }
    package var word: String { rawValue }
    package static var placeholder: String { "\(Self.self)".uppercased() }
    package static var expectation: String { choices.alternatives }
    package static var choices: [String] { allCases.map(\.rawValue) }
}

extension [String] {
    /// `bash, zsh or fish`
    fileprivate var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + suffix(1).joined()
    }
}

/// A duration is written as numbers with units: `200ms`, `1.5s`, `2m30s`, `2h`, `7d`.
extension Duration: OptionValue {
    package init?(word: String) { self.init(text: word) }

    package var word: String { exactText }

    package static var placeholder: String { "DURATION" }
    package static var expectation: String { "a duration like 90s or 5m" }
}
