/// How likely it is that a place is the one that was asked for.
///
/// What providers say about themselves can't be compared. So the answer is held against the question, component by
/// component, the same way for all of them. docs/confidence.md has the numbers, and examples.
public struct Confidence: Hashable, Codable, Sendable {
    /// Stored by its raw value: never rename a case.
    public enum Component: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
        case country, region, postcode, city, street
        case houseNumber = "house number"
    }

    /// From 0 to 1.
    public let value: Double
    /// How each component compares.
    public let components: [Component: Match]

    public init(of candidate: Candidate, for address: Address) {
        let asked = AskedAddress(address)
        let matches = asked.matches(candidate.placemark)
        components = matches
        guard let level = asked.level else {
            value = 0
            return
        }
        let likeness = Component.allCases.map { Self.factor(for: $0, in: matches) }.reduce(1, *)
        value = likeness * Self.factor(for: candidate.precision, asked: level) * Self.factor(score: candidate.score)
    }

    private static func factor(for component: Component, in matches: [Component: Match]) -> Double {
        switch (component, matches[component] ?? .unasked) {
        case (_, .unasked), (_, .same): 1
        case (.country, .similar): 0.9
        case (.country, .missing): 0.95
        case (.country, .different): 0.05
        case (.region, .similar): 0.95
        case (.region, .missing): 1
        case (.region, .different): 0.6
        case (.postcode, .similar): 0.95
        case (.postcode, .missing): 0.85
        case (.postcode, .different): 0.6
        case (.city, .similar): 0.95
        case (.city, .missing): 0.9
        // Munich is München: where street and postcode agree, they vouch for the town.
        case (.city, .different): matches[.postcode] == .same && matches[.street] == .same ? 0.8 : 0.5
        case (.street, .similar): 0.85
        case (.street, .missing): 0.5
        case (.street, .different): 0.3
        case (.houseNumber, .similar): 0.9
        case (.houseNumber, .missing): 0.7
        case (.houseNumber, .different): 0.55
        }
    }

    /// Each level by which an answer is coarser than the question makes it worse. A finer one is no better.
    private static func factor(for precision: Precision, asked level: Precision) -> Double {
        let factors = [1, 0.9, 0.7, 0.55, 0.4, 0.3]
        let coarser = Precision.allCases.count { $0 > level && $0 <= precision }
        return factors[min(coarser, factors.count - 1)]
    }

    /// A provider that is unsure of itself takes a fifth at most: it may know better than we, and it may not.
    private static func factor(score: Double?) -> Double {
        0.8 + 0.2 * min(max(score ?? 1, 0), 1)
    }
}
