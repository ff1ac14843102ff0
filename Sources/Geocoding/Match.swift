/// The comparison of one part of an answer with the question. Stored by its raw value: never rename a case.
public enum Match: String, Codable, CaseIterable, Sendable {
    case same
    /// One typo, or one of the two contains more.
    case similar
    /// In the question, but not in the answer.
    case missing
    case different
    case unasked
}

extension Match {
    /// Returns the best of several comparisons of one part; nil if there are none.
    static func best(of matches: [Match]) -> Match? {
        [Match.same, .similar, .different].first(where: matches.contains)
    }
}

/// The comparisons of all components of an answer.
struct Matches {
    var country: Match
    var region: Match
    var postcode: Match
    var city: Match
    var street: Match
    var houseNumber: Match
}
