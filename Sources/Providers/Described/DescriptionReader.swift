import JSON

/// Reads the members of a JSON object and collects all mistakes, so that one run shows everything to correct.
struct DescriptionReader {
    private let members: [String: JSONValue]
    /// The prefix of a member's name in a sentence: `precision.`.
    private let place: String
    private var known: Set<String> = []
    private(set) var mistakes: [String] = []

    init(_ members: [String: JSONValue], place: String = "") {
        self.members = members
        self.place = place
    }

    /// Returns the member as read by `parse`; nil if it is missing. `takes` completes the sentence "it takes …". With
    /// `secret`, the sentence doesn't repeat the value, because URLs may contain keys.
    mutating func optional<Value>(
        _ name: String, takes: String, secret: Bool = false, parse: (JSONValue) -> Value?
    ) -> Value? {
        known.insert(name)
        guard let value = members[name] else { return nil }
        if let parsed = parse(value) { return parsed }
        let said = secret ? nil : value.written
        mistake("\(place)\(name) is \(said?.debugDescription ?? "not valid"); it takes \(takes)")
        return nil
    }

    /// Does the same as ``optional(_:takes:secret:parse:)``, but the member is required.
    mutating func required<Value>(
        _ name: String, takes: String, secret: Bool = false, parse: (JSONValue) -> Value?
    ) -> Value? {
        if members[name] == nil { mistake("\(place)\(name) is missing; it takes \(takes)") }
        return optional(name, takes: takes, secret: secret, parse: parse)
    }

    /// Reads a member that has members itself; nil if it is missing.
    mutating func object<Value>(_ name: String, takes: String, read: (inout Self) -> Value?) -> Value? {
        optional(name, takes: takes, parse: \.object).flatMap { inside($0, name, read) }
    }

    /// Reads a list of objects; empty if it is missing.
    mutating func objects<Value>(_ name: String, takes: String, read: (inout Self) -> Value) -> [Value] {
        let items = optional(name, takes: takes) { $0.list?.all(\.object) }
        return (items ?? []).enumerated().map { inside($1, "\(name).\($0)", read) }
    }

    private mutating func inside<Value>(
        _ members: [String: JSONValue], _ name: String, _ read: (inout Self) -> Value
    ) -> Value {
        var reader = Self(members, place: "\(place)\(name).")
        let value = read(&reader)
        reader.refuseUnknown()
        mistakes += reader.mistakes
        return value
    }

    /// Reads an object whose members are words of the service, each with a value that `parse` understands.
    mutating func words<Value>(
        _ name: String, each takes: String, parse: (JSONValue) -> Value?
    ) -> [String: Value]? {
        optional(name, takes: "an object of the service's words, each with \(takes)") {
            $0.object?.allMembers { _, value in parse(value) }
        }
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    /// Unknown members are probably misspelt.
    mutating func refuseUnknown() {
        let names = written(known)
        for name in members.keys.sorted() where !known.contains(name) {
            mistake("\(place)\(name) is not a member of a description; here it takes \(names)")
        }
    }

    mutating func mistake(_ sentence: String) {
        mistakes.append(sentence)
    }

    func written(_ words: some Sequence<String>) -> String { words.sorted().joined(separator: ", ") }
}

extension Collection {
    /// Returns the values of all elements; nil if one of them has none.
    func all<Value>(_ parse: (Element) -> Value?) -> [Value]? {
        let values = compactMap(parse)
        return values.count == count ? values : nil
    }
}

extension [String: JSONValue] {
    /// Returns the values of all members; nil if one of them has none.
    func allMembers<Parsed>(_ parse: (String, JSONValue) -> Parsed?) -> [String: Parsed]? {
        var values: [String: Parsed] = [:]
        for (name, value) in self { values[name] = parse(name, value) }
        return values.count == count ? values : nil
    }
}

/// All mistakes in a description, in the order in which it was read.
package struct DescriptionError: Error, Equatable {
    package let mistakes: [String]
}

extension DescriptionError: CustomStringConvertible {
    package var description: String {
        "the description of a geocoding service can't be used:" + mistakes.map { "\n  - \($0)" }.joined()
    }
}
