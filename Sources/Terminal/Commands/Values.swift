/// The words that were given for a declaration. All copies of its command share them.
///
/// The parser can only get a property wrapper as a copy out of a `Mirror`, so the values need a place that all copies
/// share. Unchecked is safe: the parser writes while only it has the command, and after that the values are only read.
final class Values<Value: ParameterValue>: @unchecked Sendable {
    private let fallback: Value?
    private let range: (any ValueRange<Value.Single>)?
    private var given: [Value.Single] = []

    init(default fallback: Value?, range: (any ValueRange<Value.Single>)?) {
        self.fallback = fallback
        self.range = range
    }

    var value: Value {
        guard let value = given.isEmpty ? fallback : Value(given) else {
            preconditionFailure("a required value is read before the command line is parsed")
        }
        return value
    }

    func take(_ word: String) -> Bool {
        guard let value = Value.Single(word: word), range?.contains(value) ?? true else { return false }
        given.append(value)
        return true
    }

    func parameter(
        _ form: Parameter.Form, names: [String], placeholder: String, summary: String, completion: Completion
    ) -> Parameter {
        Parameter(
            form: form, names: names, placeholder: placeholder, summary: summary,
            isRequired: fallback == nil, isRepeatable: Value.isRepeatable,
            defaults: fallback?.singles.map(\.word) ?? [],
            choices: Value.Single.choices, range: range?.phrase, completion: completion,
            expectation: [Value.Single.expectation, range?.phrase].compactMap(\.self).joined(separator: " "),
            take: take)
    }
}
