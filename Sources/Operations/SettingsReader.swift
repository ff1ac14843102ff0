/// Reads variables and collects what is wrong with them, so that one restart fixes it all.
///
///     var reader = SettingsReader(ProcessEnvironment.current)
///     lease = reader.duration("WAYPOST_JOB_LEASE", default: .seconds(60), in: .seconds(5)...(.seconds(3600)))
///     reader.unknown(prefix: "WAYPOST_")
///     try reader.finish()
///
/// A variable that is set to nothing counts as not set: that is how compose files and units leave one out.
package struct SettingsReader {
    let environment: [String: String]
    var known: Set<String> = []
    /// The names, and nothing else, of what was read and is set.
    package internal(set) var given: Set<String> = []
    private var mistakes: [String] = []

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// The value of `name` as `parse` understands it, or `fallback` if the variable is not set.
    ///
    /// `takes` completes the sentence "it takes …". With `secret`, the value may come from a file, see ``secret(_:)``, and the
    /// mistake doesn't repeat it: passwords hide in addresses of databases too.
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

    /// Tells that `names` are settings even if this process has no use for them now, so that ``unknown(prefix:)``
    /// leaves them alone.
    package mutating func know(_ names: String...) {
        known.formUnion(names)
    }

    /// Adds a mistake that the readers can't see, such as two settings that exclude each other.
    package mutating func mistake(_ sentence: String) {
        mistakes.append(sentence)
    }

    /// Throws every mistake made so far.
    package func finish() throws(SettingsError) {
        if !mistakes.isEmpty { throw SettingsError(mistakes: mistakes) }
    }
}

/// Everything that is wrong with the environment, in the order it was read.
package struct SettingsError: Error, Equatable {
    package let mistakes: [String]
}

extension SettingsError: CustomStringConvertible {
    package var description: String {
        "waypost can't start:\n" + mistakes.map { "  - \($0)\n" }.joined() + "See deploy/waypost.env.example."
    }
}
