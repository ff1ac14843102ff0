/// The type of a parameter: one value, an optional one, or any number of them.
package protocol ParameterValue: Sendable {
    associatedtype Single: OptionValue

    static var isRepeatable: Bool { get }

    /// The value if no word was given and there is no default; nil if a word is required.
    static var absent: Self? { get }

    /// Makes the value of the given words, at least one.
    init?(_ singles: [Single])

    var singles: [Single] { get }
}

extension OptionValue {
    package static var isRepeatable: Bool { false }
    package static var absent: Self? { nil }

    package init?(_ singles: [Self]) {
        guard let last = singles.last else { return nil }
        self = last
    }

    package var singles: [Self] { [self] }
}

extension Optional: ParameterValue where Wrapped: OptionValue {
    package static var isRepeatable: Bool { false }
    package static var absent: Self? { .some(nil) }

    package init?(_ singles: [Wrapped]) {
        self = singles.last
    }

    package var singles: [Wrapped] { map { [$0] } ?? [] }
}

extension Array: ParameterValue where Element: OptionValue {
    package static var isRepeatable: Bool { true }
    package static var absent: Self? { nil }
    package var singles: Self { self }
}

/// The permitted values of an option: `in: 1...1000`, `in: 1...`.
package protocol ValueRange<Value>: Sendable {
    associatedtype Value

    func contains(_ value: Value) -> Bool

    /// `from 1 to 1000`
    var phrase: String { get }
}

extension ClosedRange: ValueRange where Bound: OptionValue {
    package typealias Value = Bound
    package var phrase: String { "from \(lowerBound.word) to \(upperBound.word)" }
}

extension PartialRangeFrom: ValueRange where Bound: OptionValue {
    package typealias Value = Bound
    package var phrase: String { "from \(lowerBound.word) up" }
}
