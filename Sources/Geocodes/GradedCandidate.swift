package import Geocoding

/// A place that somebody found for a question, and how good it is. Stored as JSON in `geocodes.candidates`.
package struct GradedCandidate: Hashable, Sendable, Codable {
    package var placemark: Placemark
    package var precision: Precision
    /// From 0 to 1: what was asked against what came back.
    package var confidence: Double
    /// The lane that found it.
    package var provider: String
    /// How the address was put to it; nil for a coordinate.
    package var step: LadderStep?
    /// For how many days its provider lets it be kept; nil for good.
    package var days: Int?
    /// Its provider only lends it: when the days are over it is forgotten, and not asked for again unwanted.
    package var isLent: Bool

    package init(
        placemark: Placemark, precision: Precision, confidence: Double, provider: String, step: LadderStep? = nil,
        storage: StorageRule = .unlimited
    ) {
        self.placemark = placemark
        self.precision = precision
        self.confidence = confidence
        self.provider = provider
        self.step = step
        days = storage.days
        isLent = storage == .session
    }
}

extension GradedCandidate {
    /// `street at 0.62`
    package var summary: String { "found \(precision.rawValue) at \((confidence * 100).rounded() / 100)" }
}

extension [GradedCandidate] {
    /// Two places far apart are as good as each other, as the Springfields are: nobody can say which is meant.
    var isTie: Bool {
        guard count > 1 else { return false }
        let (first, second) = (self[0], self[1])
        return first.confidence - second.confidence < 0.02 && first.precision == second.precision
            && first.placemark.coordinate.distance(to: second.placemark.coordinate) > 10_000
    }

    /// How many are kept of a question.
    private static let most = 5

    /// The best of both, the best first; of equals the finer one, then the one that was there before. Nobody is named
    /// twice by the same provider.
    func merged(with others: Self) -> Self {
        var seen: Set<Sighting> = []
        let all = (self + others).filter { seen.insert(Sighting($0)).inserted }
        let order = all.indices.sorted { one, other in
            let (first, second) = (all[one], all[other])
            if first.confidence != second.confidence { return first.confidence > second.confidence }
            if first.precision != second.precision { return first.precision < second.precision }
            return one < other
        }
        return order.prefix(Self.most).map { all[$0] }
    }
}

private struct Sighting: Hashable {
    let placemark: Placemark
    let provider: String

    init(_ candidate: GradedCandidate) {
        (placemark, provider) = (candidate.placemark, candidate.provider)
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
