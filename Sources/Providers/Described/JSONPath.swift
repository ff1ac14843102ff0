import JSON

/// The path to a value in a reply: `results.0.geometry.lat`, or `features[].properties.name` with `[]` behind the list
/// of candidates.
struct JSONPath: Hashable, Sendable {
    /// The path to the list of candidates; nil without `[]`.
    let list: [String]?
    /// The path from a candidate, or from the top if there is no list.
    let steps: [String]

    /// Returns nil for a path with an empty step, or with several lists.
    init?(_ text: String) {
        let halves = text.split(separator: "[]", omittingEmptySubsequences: false)
        guard halves.count <= 2, let last = halves.last, !text.isEmpty else { return nil }
        // A dot or the end must follow `[]`.
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

/// The result of following a path.
enum JSONFinding {
    case value(JSONValue)
    /// The first list on the path is empty, which for most services means "found nothing".
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

    /// Returns the value at the end of the path; nil if there is none.
    func value(at steps: [String]) -> JSONValue? {
        if case .value(let value) = follow(steps) { value } else { nil }
    }
}
