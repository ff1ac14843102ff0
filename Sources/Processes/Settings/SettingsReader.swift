/// Reads variables and collects all mistakes in them, so that one restart fixes them all.
///
///     var reader = SettingsReader(ProcessEnvironment.current)
///     lease = reader.duration("WAYPOST_JOB_LEASE", default: .seconds(60), in: .seconds(5)...(.seconds(3600)))
///     reader.unknown(prefix: "WAYPOST_")
///     try reader.finish()
///
/// An empty variable counts as not set, because compose files and units leave one out like that.
package struct SettingsReader {
    let environment: [String: String]
    var known: Set<String> = []
    /// The names of the variables that were read and are set.
    package internal(set) var given: Set<String> = []
    private var mistakes: [String] = []

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// The parsed value of `name`, or `fallback` if the variable is not set.
    ///
    /// `takes` completes the sentence "it takes …". With `secret`, the value may come from a file, see ``secret(_:)``,
    /// and the mistake doesn't contain the value: addresses of databases may contain passwords.
    package mutating func value<Value>(
        _ name: String, default fallback: Value, takes: String, secret: Bool = false, parse: (String) -> Value?
    ) -> Value {
        guard let text = secret ? self.secret(name) : optionalText(name) else { return fallback }
        if let value = parse(text) { return value }
        mistake("\(name) is \(secret ? "not valid" : text.debugDescription); it takes \(takes)")
        return fallback
    }

    /// The text of `name`, or nil if the variable is not set.
    package mutating func optionalText(_ name: String) -> String? {
        known.insert(name)
        guard let text = environment[name], !text.isEmpty else { return nil }
        given.insert(name)
        return text
    }

    /// Declares settings that this process does not use now, so that ``unknown(prefix:)`` accepts them.
    package mutating func know(_ names: String...) {
        known.formUnion(names)
    }

    /// Adds a mistake that no reading function finds, such as two settings that exclude each other.
    package mutating func mistake(_ sentence: String) {
        mistakes.append(sentence)
    }

    /// Throws if there are mistakes, with all of them.
    package func finish() throws(SettingsError) {
        if !mistakes.isEmpty { throw SettingsError(mistakes: mistakes) }
    }
}

/// All mistakes in the environment, in the order in which they were found.
package struct SettingsError: Error, Equatable {
    package let mistakes: [String]
}

extension SettingsError: CustomStringConvertible {
    package var description: String {
        "waypost can't start:\n" + mistakes.map { "  - \($0)\n" }.joined() + "See deploy/waypost.env.example."
    }
}
