package import Geocoding

/// A place that somebody found for a question, and how good it is. Stored as JSON in `geocodes.candidates`.
package struct GradedCandidate: Hashable, Sendable, Codable {
    package var placemark: Placemark
    package var precision: Precision
    /// From 0 to 1: how likely it is right as what it is.
    package var confidence: Double
    /// It is coarser than what was asked for, such as a town for a street.
    package var isWeak: Bool
    /// The lane that found it.
    package var provider: String
    /// How the address was put to it; nil for a coordinate.
    package var step: LadderStep?
    /// For how many days its provider lets it be kept; nil for good.
    package var days: Int?
    /// Its provider only lends it: when the days are over it is deleted, and asked again only when needed.
    package var isLent: Bool

    package init(
        placemark: Placemark, precision: Precision, confidence: Double, isWeak: Bool = false, provider: String,
        step: LadderStep? = nil, storage: StorageRule = .unlimited
    ) {
        self.placemark = placemark
        self.precision = precision
        self.confidence = confidence
        self.isWeak = isWeak
        self.provider = provider
        self.step = step
        days = storage.days
        isLent = storage == .session
    }
}

extension GradedCandidate {
    /// `found street at 0.62`
    package var summary: String { "found \(precision.rawValue) at \((confidence * 100).rounded() / 100)" }

    /// How much coarser it is than what was asked for, in words; nil where it is not.
    package var weakness: String? { isWeak ? Doubt.coarseness(of: precision) : nil }

    /// What was stored before answers were called weak has no word of it.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        placemark = try stored.decode(Placemark.self, forKey: .placemark)
        precision = try stored.decode(Precision.self, forKey: .precision)
        confidence = try stored.decode(Double.self, forKey: .confidence)
        isWeak = try stored.decodeIfPresent(Bool.self, forKey: .isWeak) ?? false
        provider = try stored.decode(String.self, forKey: .provider)
        step = try stored.decodeIfPresent(LadderStep.self, forKey: .step)
        days = try stored.decodeIfPresent(Int.self, forKey: .days)
        isLent = try stored.decode(Bool.self, forKey: .isLent)
    }

    /// How far two answers of one precision lie apart at least, in metres, if they are not the same place found twice.
    fileprivate func distanceApart(from other: Self) -> Double {
        switch precision {
        case .rooftop, .interpolated: 500
        // A street may be long, but not in two towns.
        case .street where placemark.locality == other.placemark.locality: 10_000
        case .street: 1_000
        case .postcode, .city, .region, .country: 10_000
        }
    }
}

extension [GradedCandidate] {
    /// A tie: two places far apart are equally good, as two Springfields are, so a person must choose.
    var isTie: Bool {
        guard let best = first else { return false }
        return dropFirst().contains { other in
            best.confidence - other.confidence < 0.02 && best.precision == other.precision
                && best.placemark.coordinate.distance(to: other.placemark.coordinate) > best.distanceApart(from: other)
        }
    }

    /// The best, where it is sure enough to be taken without a person.
    func answer(located: Double) -> GradedCandidate? {
        guard let best = first, best.confidence >= located, !isTie else { return nil }
        return best
    }

    /// How many are kept of a question.
    private static let most = 5

    /// The best of both, the best first; of equals the finer one, then the one that was there before. Nobody is named
    /// twice by the same provider.
    ///
    /// What is believed, from the confidence `located` on, goes first, and of that what is as fine as was asked for. A
    /// weak one is the better the finer it is: a street says more than its town, however sure that is.
    func merged(with others: Self, located: Double) -> Self {
        // One place needs no order, and most addresses have one.
        if count + others.count < 2 { return self + others }
        var all: [GradedCandidate] = []
        for candidate in self + others where !all.contains(where: candidate.isSighting) { all.append(candidate) }
        let order = all.indices.sorted { one, other in
            if all[one].isBetter(than: all[other], located: located) { return true }
            return one < other && !all[other].isBetter(than: all[one], located: located)
        }
        return order.prefix(Self.most).map { all[$0] }
    }
}

extension GradedCandidate {
    /// By the ranks of `merged`; of equals neither is.
    package func isBetter(than other: Self, located: Double) -> Bool {
        let (rank, otherRank) = (rank(located), other.rank(located))
        if rank != otherRank { return rank < otherRank }
        if rank == 1, precision != other.precision { return precision < other.precision }
        if confidence != other.confidence { return confidence > other.confidence }
        return precision < other.precision
    }

    private func rank(_ located: Double) -> Int { confidence < located ? 2 : isWeak ? 1 : 0 }

    /// Whether the same provider named the same place.
    func isSighting(of other: Self) -> Bool {
        placemark == other.placemark && provider == other.provider
    }
}

extension StorageRule {
    /// How long an answer may stay; nil for good. A session is a day: long enough to be worked with.
    fileprivate var days: Int? {
        switch self {
        case .unlimited: nil
        case .days(let days): days
        case .session: 1
        }
    }
}
