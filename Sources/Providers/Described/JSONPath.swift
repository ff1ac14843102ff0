import JSON

/// The path to a value in a reply: `results.0.geometry.lat`, or `features[].properties.name` with `[]` behind the list
/// of candidates.
struct JSONPath: Hashable, Sendable {
    /// The path to the list of candidates; nil without `[]`.
    let list: [Step]?
    /// The path from a candidate, or from the top if there is no list.
    let steps: [Step]

    enum Step: Hashable, Sendable {
        /// The member with this name, or the item at this place.
        case to(String)
        /// `[member=value]`: the first item of a list that has this value, or an object that has it.
        case having(member: String, value: String)

        init?(_ text: Substring) {
            let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
            guard !inner.isEmpty, !inner.contains(where: { "[]".contains($0) || $0.isWhitespace }) else { return nil }
            self = .to(String(inner))
            guard inner.count < text.count else { return }
            let halves = inner.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { return nil }
            self = .having(member: String(halves[0]), value: String(halves[1]))
        }
    }

    /// Returns nil for a path with an empty step, or with several lists.
    init?(_ text: String) {
        let halves = text.split(separator: "[]", omittingEmptySubsequences: false)
        guard halves.count <= 2, let last = halves.last, !text.isEmpty else { return nil }
        // A dot or the end must follow `[]`.
        guard halves.count == 1 || last.isEmpty || last.hasPrefix(".") else { return nil }
        let texts = halves.count == 1 ? [last] : [last.dropFirst(), halves[0]]
        guard let paths = texts.all(Self.steps) else { return nil }
        (steps, list) = (paths[0], paths.count == 1 ? nil : paths[1])
    }

    private static func steps(_ text: Substring) -> [Step]? {
        (text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false)).all(Step.init)
    }
}

/// The result of following a path.
enum JSONFinding {
    case value(JSONValue)
    /// The first list on the path is empty, which for most services means "found nothing".
    case emptyList
    case missing
}

extension JSONValue {
    func follow(_ steps: [JSONPath.Step]) -> JSONFinding {
        var value = self
        var isFirstList = true
        for step in steps {
            switch (step, value) {
            case (.to(let name), .object(let members)):
                guard let member = members[name] else { return .missing }
                value = member
            case (.to(let name), .list(let items)):
                if items.isEmpty && isFirstList { return .emptyList }
                guard let index = Int(name), items.indices.contains(index) else { return .missing }
                isFirstList = false
                value = items[index]
            case (.having(let name, let wanted), _):
                let found = (value.list ?? [value]).first { $0.object?[name]?.words.contains(wanted) == true }
                guard let found else { return .missing }
                value = found
            default: return .missing
            }
        }
        return .value(value)
    }

    /// Returns the value at the end of the path; nil if there is none.
    func value(at steps: [JSONPath.Step]) -> JSONValue? {
        if case .value(let value) = follow(steps) { value } else { nil }
    }

    /// The value as a person would write it, or the items of a list.
    var words: [String] { (list ?? [self]).compactMap(\.written) }
}
