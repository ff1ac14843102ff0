package import Geocoding

/// Texts for a person that explain why a question has no place, or an uncertain one. They contain nothing of the
/// address. They may name the town of a place that was found, so they belong next to it, and not into a log.
///
/// The text for an ended question is made once, when it ends, and is stored. The text for its state is made when it is
/// read.
package enum Doubt {
    /// Returns the text for a question that ended with these candidates, the best first. `isChoice` is true if a person
    /// must choose.
    package static func words(
        for candidates: [Place], of subject: Question.Subject, isChoice: Bool
    ) -> String {
        guard let address = subject.address else {
            return candidates.isEmpty ? "no provider has found anything there" : "what is there is uncertain"
        }
        guard let best = candidates.first else { return "not found" }
        if isChoice, let words = candidates.namesakes { return words }
        if isChoice {
            // Without a country, a town or a street of the name in any country could be meant.
            return differences(of: best, from: address)
                ?? (address.country.isEmpty ? "more than one country could be meant" : "the provider is not sure of it")
        }
        return best.placemark.areaName.map { "not found; perhaps \($0)" } ?? "not found"
    }

    /// Returns the text for a located place that is coarser than the question; nil if it is not.
    package static func weakness(of precision: Precision, for address: Address) -> String? {
        ComparableAddress(address).isWeak(precision) ? coarseness(of: precision) : nil
    }

    /// Returns the text for a place that is known to be weak. Terminal, tables and pages have the same words.
    package static func coarseness(of precision: Precision) -> String? {
        precision <= .interpolated ? nil : "roughly: \(precision == .city ? "town" : precision.rawValue)"
    }

    /// Returns the text for a position that came with an address, and is far from its postcode or its town.
    static func farPosition(from part: Precision) -> String {
        "the given position is far from the \(part == .city ? "town" : part.rawValue)"
    }

    /// Returns the differing parts, otherwise the missing parts; nil if all parts are present and alike.
    private static func differences(of candidate: Place, from address: Address) -> String? {
        let confidence = Confidence(of: Candidate(candidate.placemark, candidate.precision), for: address)
        func parts(_ match: Match) -> [String] {
            Confidence.Component.allCases.filter { confidence.components[$0] == match }.map(\.name)
        }
        let different = parts(.different)
        if !different.isEmpty { return "\(list(different)) \(different.count == 1 ? "differs" : "differ")" }
        if let weakness = weakness(of: candidate.precision, for: address) { return weakness }
        let missing = parts(.missing)
        if !missing.isEmpty { return "\(list(missing)) \(missing.count == 1 ? "is" : "are") missing" }
        let similar = parts(.similar)
        return similar.isEmpty ? nil : "\(list(similar)) \(similar.count == 1 ? "is" : "are") spelt otherwise"
    }

    /// `the town`, `the town and the street`, `the region, the town and the street`
    private static func list(_ names: [String]) -> String {
        let names = names.map { "the \($0)" }
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension GeocodeStatus {
    /// Returns the state of a question in words for a person; nil for a located one. `stored` is the text that was
    /// stored when the question ended.
    package func reason(_ stored: String?, provider: String?) -> String? {
        switch self {
        case .located: nil
        case .waiting: "no provider has answered yet"
        case .needsReview: stored ?? "a person should choose among what was found"
        case .notFound: stored ?? "not found"
        case .failed: failure(stored, provider: provider)
        case .forgotten: "its provider's terms did not let the answer be kept any longer"
        }
    }

    private func failure(_ stored: String?, provider: String?) -> String {
        guard let stored else { return "no provider could be called" }
        let refused = "refused: "
        guard let provider, stored.hasPrefix(refused) else { return stored }
        return "\(provider) \(stored)"
    }
}

extension [Place] {
    /// `two towns of this name`, if only the distance separates the first candidate from others; otherwise nil.
    fileprivate var namesakes: String? {
        guard let best = first else { return nil }
        let others = dropFirst().filter { other in
            other.precision == best.precision && other.placemark.isFar(from: best.placemark)
                && (best.areaConfidence - other.areaConfidence < 0.02 || other.placemark.isCalledLike(best.placemark))
        }
        // One place that two providers found counts once.
        let count = others.indices.count { index in
            !others[..<index].contains { !$0.placemark.isFar(from: others[index].placemark) }
        }
        guard count > 0 else { return nil }
        // At most five candidates are kept for a question.
        let number = ["two", "three", "four", "several"][Swift.min(count, 4) - 1]
        return switch best.precision {
        case .city: "\(number) towns of this name"
        case .postcode: "\(number) places with this postcode"
        case .street: "\(number) streets of this name"
        case .region: "\(number) regions of this name"
        default: "\(number) places fit equally well"
        }
    }
}

extension Placemark {
    /// The town, or else the larger area that contains it.
    fileprivate var areaName: String? {
        [locality, subAdministrativeArea, administrativeArea, countryName].lazy.compactMap(\.self).first { !$0.isEmpty }
    }

    fileprivate func isFar(from other: Placemark) -> Bool { !isWithin(10_000, of: other) }

    fileprivate func isCalledLike(_ other: Placemark) -> Bool {
        guard let name = locality, let otherName = other.locality else { return false }
        return name.lowercased() == otherName.lowercased() && thoroughfare == nil && other.thoroughfare == nil
    }
}

extension Confidence.Component {
    fileprivate var name: String { self == .city ? "town" : rawValue }
}
