/// A word that is identified by its position: `@Argument("FILE", "The CSV file.") var file: String`.
///
/// It is required unless it has a default or is an optional. An array takes all remaining words.
@propertyWrapper
package struct Argument<Value: ParameterValue>: Sendable, Declaration {
    private let values: Values<Value>
    private let placeholder: String
    private let summary: String
    private let completion: Completion

    package var wrappedValue: Value { values.value }

    package init(
        wrappedValue: Value, _ placeholder: String, _ summary: String,
        in range: (any ValueRange<Value.Single>)? = nil, completion: Completion = .none
    ) {
        values = Values(default: wrappedValue, range: range)
        self.placeholder = placeholder
        self.summary = summary
        self.completion = completion
    }

    package init(
        _ placeholder: String, _ summary: String,
        in range: (any ValueRange<Value.Single>)? = nil, completion: Completion = .none
    ) {
        values = Values(default: .absent, range: range)
        self.placeholder = placeholder
        self.summary = summary
        self.completion = completion
    }

    var parameter: Parameter {
        values.parameter(.argument, names: [], placeholder: placeholder, summary: summary, completion: completion)
    }
}

/// A value with a name: `@Option("-o", "--output", "FILE", "Where the places go.") var output: String?`.
///
/// The words are its names, then the placeholder of the value (by default that of the type), then its purpose. It is
/// required unless it has a default or is an optional. An array may be repeated.
@propertyWrapper
package struct Option<Value: ParameterValue>: Sendable, Declaration {
    private let values: Values<Value>
    private let words: [String]
    private let completion: Completion

    package var wrappedValue: Value { values.value }

    package init(
        wrappedValue: Value, _ words: String...,
        in range: (any ValueRange<Value.Single>)? = nil, completion: Completion = .none
    ) {
        values = Values(default: wrappedValue, range: range)
        self.words = words
        self.completion = completion
    }

    package init(
        _ words: String..., in range: (any ValueRange<Value.Single>)? = nil, completion: Completion = .none
    ) {
        values = Values(default: .absent, range: range)
        self.words = words
        self.completion = completion
    }

    var parameter: Parameter {
        let names = words.prefix { $0.hasPrefix("-") }
        let texts = words.dropFirst(names.count)
        guard let summary = texts.last, texts.count <= 2, !names.isEmpty else {
            preconditionFailure("an option has names, perhaps a placeholder, and a summary, not \(words)")
        }
        return values.parameter(
            .option, names: Array(names), placeholder: texts.dropLast().first ?? Value.Single.placeholder,
            summary: summary, completion: completion)
    }
}

/// True if it was given: `@Flag("--json", "Print JSON.") var json`.
@propertyWrapper
package struct Flag: Sendable, Declaration {
    private let values = Values<Bool>(default: false, range: nil)
    private let names: [String]
    private let summary: String

    package var wrappedValue: Bool { values.value }

    package init(_ name: String, _ summary: String) {
        names = [name]
        self.summary = summary
    }

    package init(_ short: String, _ name: String, _ summary: String) {
        names = [short, name]
        self.summary = summary
    }

    var parameter: Parameter {
        Parameter(form: .flag, names: names, summary: summary) { [values] _ in values.take("true") }
    }
}

/// Options that a table lists, such as one for each setting: `@OptionTable(LaneSetting.all.map(\.option))`.
///
/// Its value is the list of what the given options mean, in the order of the command line.
@propertyWrapper
package struct OptionTable<Meaning: Sendable>: Sendable, DeclarationTable {
    /// One option.
    package struct Row: Sendable {
        fileprivate let name, placeholder, summary, expectation: String
        fileprivate let range: String?
        fileprivate let read: @Sendable (String) -> Meaning?

        /// With `orNone` the option also takes the word `none`. `mean` returns nil for an invalid value.
        package init<Value: OptionValue>(
            _ name: String, _ summary: String, in range: (any ValueRange<Value>)? = nil, orNone: Bool = false,
            mean: @escaping @Sendable (Value?) -> Meaning?
        ) {
            self.name = name
            self.summary = summary
            placeholder = Value.placeholder + (orNone ? "|none" : "")
            expectation = [Value.expectation, range?.phrase, orNone ? "or none" : nil].compactMap(\.self)
                .joined(separator: " ")
            self.range = range?.phrase
            read = { word in
                if orNone, word == "none" { return mean(nil) }
                guard let value = Value(word: word), range?.contains(value) ?? true else { return nil }
                return mean(value)
            }
        }
    }

    private let rows: [Row]
    private let meant = Meant<Meaning>()

    package var wrappedValue: [Meaning] { meant.list }

    package init(_ rows: [Row]) { self.rows = rows }

    var parameters: [Parameter] {
        rows.map { row in
            Parameter(
                form: .option, names: [row.name], placeholder: row.placeholder, summary: row.summary,
                range: row.range, expectation: row.expectation
            ) { [meant] word in
                guard let meaning = row.read(word) else { return false }
                meant.list.append(meaning)
                return true
            }
        }
    }
}

/// See ``Values`` for the reason why this is safe.
private final class Meant<Meaning: Sendable>: @unchecked Sendable {
    var list: [Meaning] = []
}
