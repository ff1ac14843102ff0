/// The probability that an answer is right at its own precision: that a rooftop is the right house, or a town the right
/// town.
///
/// The confidences of different providers can't be compared. So each answer is compared with the question, component by
/// component, in the same way for all providers. docs/confidence.md has the numbers, their measurement, and examples.
public struct Confidence: Hashable, Codable, Sendable {
    /// Stored by its raw value: never rename a case.
    public enum Component: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
        case country, region, postcode, city, street
        case houseNumber = "house number"
    }

    /// From 0 to 1.
    public let value: Double
    /// The comparison of each component.
    public let components: [Component: Match]
    /// The answer is coarser than the question: a town for a street, a street for a house.
    public let isWeak: Bool

    public init(of candidate: Candidate, for address: Address) {
        let asked = ComparableAddress(address)
        let matches = asked.matches(candidate.placemark)
        components = [
            .country: matches.country, .region: matches.region, .postcode: matches.postcode, .city: matches.city,
            .street: matches.street, .houseNumber: matches.houseNumber,
        ]
        value = asked.confidence(in: candidate, matches)
        isWeak = asked.isWeak(candidate.precision)
    }
}

extension ComparableAddress {
    /// The value of ``Confidence``.
    package func confidence(in candidate: Candidate) -> Double {
        confidence(in: candidate, matches(candidate.placemark))
    }

    fileprivate func confidence(in candidate: Candidate, _ matches: Matches) -> Double {
        guard level != nil else { return 0 }
        var matches = matches
        if matches.postcode == .missing, candidate.isOfSourceWithoutPostcodes { matches.postcode = .unasked }
        let likeness = Likeness(
            matches: matches, precision: candidate.precision,
            isPostcodeNear: matches.postcode == .different && isNear(postcode: candidate.placemark.postalCode))
        let share = min(max(candidate.share, 0), 1)
        return likeness.value * Self.factor(score: candidate.score) * share
    }

    /// A provider's own doubt lowers the value by at most a fifth.
    private static func factor(score: Double?) -> Double {
        0.8 + 0.2 * min(max(score ?? 1, 0), 1)
    }
}

/// The confidences from which an answer is accepted.
public struct Thresholds: Hashable, Sendable {
    public var located: Double
    /// From this confidence on a person should review the answer.
    public var review: Double

    public init(located: Double = 0.75, review: Double = 0.4) {
        self.located = located
        self.review = review
    }

    public enum Verdict: String, Codable, CaseIterable, Sendable {
        case located, review, poor
    }

    public func verdict(for confidence: Confidence) -> Verdict {
        switch confidence.value {
        case located...: .located
        case review...: .review
        default: .poor
        }
    }
}
