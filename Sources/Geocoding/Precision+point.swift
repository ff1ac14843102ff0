extension Precision {
    /// The share of houses within 200 metres of such a point, if everything that the answer names is right.
    ///
    /// An answer that is not weak is what was asked: a town's centre for a town. Only a house that was interpolated may
    /// be elsewhere. docs/confidence.md has the measurements.
    private func share(isWeak: Bool) -> Double {
        switch self {
        case .rooftop: 1
        case .interpolated: 0.95
        case .street: isWeak ? 0.7 : 1
        case .postcode, .city: isWeak ? 0.05 : 1
        case .region, .country: isWeak ? 0 : 1
        }
    }

    /// Returns the probability that the point is the one asked for, and for a house that it is within 200 metres.
    /// `area` is the probability that the answer is right at this precision: the value of ``Confidence``.
    package func confidence(area: Double, isWeak: Bool) -> Double {
        let share = share(isWeak: isWeak)
        return share == 1 ? area : (area * share * 10_000).rounded() / 10_000
    }

    /// The factors of ``confidence(area:isWeak:)`` that are not 1.
    package static let pointFactors: [(precision: Precision, isWeak: Bool, factor: Double)] = allCases.flatMap {
        precision in
        [false, true].map { (precision, $0, precision.share(isWeak: $0)) }
    }.filter { $0.factor != 1 }
}
