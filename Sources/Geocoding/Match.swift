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

/// How the components of an answer compare.
struct Matches {
    var country: Match
    var region: Match
    var postcode: Match
    var city: Match
    var street: Match
    var houseNumber: Match

    subscript(component: Confidence.Component) -> Match {
        switch component {
        case .country: country
        case .region: region
        case .postcode: postcode
        case .city: city
        case .street: street
        case .houseNumber: houseNumber
        }
    }
}
