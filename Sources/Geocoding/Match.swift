/// How one part of what came back compares with what was asked. Stored by its raw value: never rename a case.
public enum Match: String, Codable, CaseIterable, Sendable {
    case same
    /// A typo away, or one of the two says more.
    case similar
    /// Asked for, and not in the answer.
    case missing
    case different
    case unasked
}

extension Match {
    /// The best of several comparisons of one thing; nil of none.
    static func best(of matches: [Match]) -> Match? {
        [Match.same, .similar, .different].first(where: matches.contains)
    }
}
