import JSON

/// Where a value stands in an answer: `results.0.geometry.lat`, or `features[].properties.name` with `[]` behind the list
/// of candidates.
struct JSONPath: Hashable, Sendable {
    /// The way to the list of candidates; nil where there is no `[]`.
    let list: [String]?
    /// The way from a candidate on, or from the top where there is no list.
    let steps: [String]

    /// Nil for a path with an empty step, and for one with several lists.
    init?(_ text: String) {
        let halves = text.split(separator: "[]", omittingEmptySubsequences: false)
        guard halves.count <= 2, let last = halves.last, !text.isEmpty else { return nil }
        // Behind `[]` comes a dot, or the end.
        guard halves.count == 1 || last.isEmpty || last.hasPrefix(".") else { return nil }
        list = halves.count == 1 ? nil : Self.steps(halves[0])
        steps = Self.steps(halves.count == 1 ? last : last.dropFirst())
        guard (list ?? []).allSatisfy(Self.isStep), steps.allSatisfy(Self.isStep) else { return nil }
    }

    private static func steps(_ text: Substring) -> [String] {
        text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private static func isStep(_ step: String) -> Bool {
        !step.isEmpty && !step.contains { $0 == "[" || $0 == "]" || $0.isWhitespace }
    }
}

/// What a path leads to.
enum JSONFinding {
    case value(JSONValue)
    /// The first list on the way has nothing in it, which is how most services say that they found nothing.
    case emptyList
    case missing
}

extension JSONValue {
    func follow(_ steps: [String]) -> JSONFinding {
        var value = self
        var isFirstList = true
        for step in steps {
            switch value {
            case .object(let members):
                guard let member = members[step] else { return .missing }
                value = member
            case .list(let items):
                if items.isEmpty && isFirstList { return .emptyList }
                guard let index = Int(step), items.indices.contains(index) else { return .missing }
                isFirstList = false
                value = items[index]
            default: return .missing
            }
        }
        return .value(value)
    }

    /// The value at the end of the way; nil where it leads nowhere.
    func value(at steps: [String]) -> JSONValue? {
        if case .value(let value) = follow(steps) { value } else { nil }
    }
}
