package import Geocoding
package import Postgres

/// A place that a provider found for a question, with its grade. Stored as JSON in `geocodes.candidates`.
package struct Place: Hashable, Sendable, Codable {
    package var placemark: Placemark
    package var precision: Precision
    /// From 0 to 1: the probability that it is right at its own precision. Thresholds are compared with it. In
    /// `geocodes`, this is the column `confidence`.
    package var areaConfidence: Double
    /// It is coarser than the question, such as a town for a street.
    package var isWeak: Bool
    /// The lane that found it.
    package var provider: String
    /// The step by which the address was put to the provider; nil for a coordinate.
    package var step: LadderStep?
    /// For how many days its provider permits to keep it; nil for ever.
    package var days: Int?
    /// Its provider only lends it: after `days` it is deleted, and asked again only when needed.
    package var isLent: Bool

    package init(
        placemark: Placemark, precision: Precision, areaConfidence: Double, isWeak: Bool = false, provider: String,
        step: LadderStep? = nil, storage: StorageRule = .unlimited
    ) {
        (self.placemark, self.precision, self.areaConfidence) = (placemark, precision, areaConfidence)
        (self.isWeak, self.provider, self.step) = (isWeak, provider, step)
        days = storage.days
        isLent = storage == .session
    }
}

extension Place {
    private enum CodingKeys: String, CodingKey {
        case placemark, precision, isWeak, provider, step, days, isLent
        case areaConfidence = "confidence"
    }

    /// From 0 to 1: the probability that its point is the one asked for.
    package var confidence: Double { precision.confidence(area: areaConfidence, isWeak: isWeak) }

    /// `found street at 0.62`
    package var summary: String { "found \(precision.rawValue) at \((areaConfidence * 100).rounded() / 100)" }

    /// How much coarser it is than the question, in words; nil if it is not.
    package var weakness: String? { isWeak ? Doubt.coarseness(of: precision) : nil }

    /// Candidates stored before `isWeak` existed do not contain it.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        placemark = try stored.decode(Placemark.self, forKey: .placemark)
        precision = try stored.decode(Precision.self, forKey: .precision)
        areaConfidence = try stored.decode(Double.self, forKey: .areaConfidence)
        isWeak = try stored.decodeIfPresent(Bool.self, forKey: .isWeak) ?? false
        provider = try stored.decode(String.self, forKey: .provider)
        step = try stored.decodeIfPresent(LadderStep.self, forKey: .step)
        days = try stored.decodeIfPresent(Int.self, forKey: .days)
        isLent = try stored.decode(Bool.self, forKey: .isLent)
    }

    /// Returns the distance in metres from which two answers of one precision are different places, and not one place
    /// found twice.
    fileprivate func distanceApart(from other: Self) -> Double {
        switch precision {
        case .rooftop, .interpolated: 500
        // A street may be long, but it is in one town.
        case .street where placemark.locality == other.placemark.locality: 10_000
        case .street: 1_000
        case .postcode, .city, .region, .country: 10_000
        }
    }
}

extension [Place] {
    /// A tie: two places far apart are equally good, such as two Springfields, so a person must choose.
    var isTie: Bool {
        guard let best = first else { return false }
        return dropFirst().contains { other in
            best.areaConfidence - other.areaConfidence < 0.02 && best.precision == other.precision
                && best.placemark.coordinate.distance(to: other.placemark.coordinate) > best.distanceApart(from: other)
        }
    }

    /// Returns the best candidate if it is sure enough without a person's decision.
    func answer(located: Double) -> Place? {
        guard let best = first, best.areaConfidence >= located, !isTie else { return nil }
        return best
    }

    /// The most candidates that are kept for a question.
    private static let most = 5

    /// Returns the best candidates of both lists, the best first. Of equals the finer one is first, then the one from
    /// `self`. The same place from the same provider is kept once.
    ///
    /// Candidates with at least the confidence `located` come first, and among them those as fine as the question. Weak
    /// ones are ranked by precision: a street is better than its town, however sure the town is.
    func merged(with others: Self, located: Double) -> Self {
        // A single place needs no order, and most addresses have one.
        if count + others.count < 2 { return self + others }
        var all: [Place] = []
        for candidate in self + others where !all.contains(where: candidate.isSighting) { all.append(candidate) }
        let order = all.indices.sorted { one, other in
            if all[one].isBetter(than: all[other], located: located) { return true }
            return one < other && !all[other].isBetter(than: all[one], located: located)
        }
        return order.prefix(Self.most).map { all[$0] }
    }
}

extension Place {
    /// Compares by the ranks of `merged`. Returns false for equals.
    package func isBetter(than other: Self, located: Double) -> Bool {
        let (rank, otherRank) = (rank(located), other.rank(located))
        if rank != otherRank { return rank < otherRank }
        if rank == 1, precision != other.precision { return precision < other.precision }
        if areaConfidence != other.areaConfidence { return areaConfidence > other.areaConfidence }
        return precision < other.precision
    }

    private func rank(_ located: Double) -> Int { areaConfidence < located ? 2 : isWeak ? 1 : 0 }

    /// True if the same provider found the same place.
    func isSighting(of other: Self) -> Bool {
        placemark == other.placemark && provider == other.provider
    }
}

extension StorageRule {
    /// How many days an answer may stay; nil for ever. A session is a day, which is long enough to work with it.
    fileprivate var days: Int? {
        switch self {
        case .unlimited: nil
        case .days(let days): days
        case .session: 1
        }
    }
}

/// The state of a question that still waits after a provider was called: the best place so far, and the next lane.
package struct PlaceSoFar: Sendable {
    /// The place that would be the answer if no other provider were called; nil if none is sure enough.
    package let place: Place?
    /// The lane in which the question waits.
    package let waitsFor: String

    /// `roughly: town; still waiting for nominatim`
    package var reason: String {
        [place.map(\.weakness) ?? "no provider has answered yet", "still waiting for \(waitsFor)"].compactMap(\.self)
            .joined(separator: "; ")
    }

    /// The columns of `geocodes` that ``init(_:)`` reads.
    package static let columns: SQL = """
        CASE WHEN status = 'waiting' THEN candidates::text END AS candidates_so_far,
        CASE WHEN status = 'waiting' AND candidates IS NOT NULL
             THEN (SELECT plan -> 'links' -> geocodes.link ->> 'lane' FROM chains WHERE chains.id = geocodes.chain) END AS waits_for,
        CASE WHEN status = 'waiting' AND candidates IS NOT NULL
             THEN (SELECT (plan ->> 'located')::float8 FROM chains WHERE chains.id = geocodes.chain) END AS located_from
        """

    /// Returns nil if the question does not wait, or no provider has answered yet.
    package init?(_ row: Row) throws {
        guard let candidates: String = try row.readIfPresent("candidates_so_far"),
            let lane: String = try row.readIfPresent("waits_for")
        else { return nil }
        waitsFor = lane
        place = try [Place](json: candidates)
            .answer(located: row.readIfPresent("located_from") ?? Thresholds().located)
    }
}
