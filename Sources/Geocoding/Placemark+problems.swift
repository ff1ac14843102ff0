extension Placemark {
    /// A problem that makes a placemark doubtful. The raw values are for programs: never rename a case.
    public enum Problem: String, Sendable, Codable, CaseIterable {
        /// See ``Coordinate/isNullIsland``.
        case nullIsland
        /// It has neither a name nor any part of an address.
        case unnamed
        /// The name is a coordinate.
        case nameIsCoordinate
        case noCountry
        case unknownCountryCode
        /// Code and name are of different countries.
        case countriesDiffer
        case numberWithoutStreet
    }

    /// All problems, in the order of the cases. Empty for a placemark without problems.
    public var problems: [Problem] {
        let hasCode = !Self.isBlank(countryCode)
        let coded = hasCode ? countryOfCode : nil
        var problems: [Problem] = []
        if coordinate.isNullIsland { problems.append(.nullIsland) }
        if !hasCode, isUnnamed { problems.append(.unnamed) }
        if !Self.isBlank(name), properName == nil { problems.append(.nameIsCoordinate) }
        if !hasCode, Self.isBlank(countryName) { problems.append(.noCountry) }
        if hasCode, coded == nil { problems.append(.unknownCountryCode) }
        if let coded, let named = countryName.flatMap(Country.init), named != coded {
            problems.append(.countriesDiffer)
        }
        if Self.isBlank(thoroughfare), !Self.isBlank(subThoroughfare) { problems.append(.numberWithoutStreet) }
        return problems
    }

    private var isUnnamed: Bool { Self.names.allSatisfy { Self.isBlank(self[keyPath: $0.path]) } }

    /// Only by the code itself. `Country` would also accept a name.
    private var countryOfCode: Country? {
        countryCode.flatMap(Country.init).flatMap { $0.code == countryCode ? $0 : nil }
    }

    private static func isBlank(_ text: String?) -> Bool {
        guard let text, let first = text.utf8.first else { return true }
        // Nearly all texts begin with an ASCII letter or digit.
        return !isLetterOrDigit(first) && PostalParts.line(text).isEmpty
    }
}

extension Candidate {
    /// The candidate with the problems of its placemark corrected; nil if it is on null island, which is not an answer.
    ///
    /// A code that is not in ISO 3166-1 alpha-2 is replaced by that of the country which the code or the country's name
    /// means. A name that is a coordinate is removed. If code and name are of different countries, the provider's score
    /// is halved. The other problems are missing parts, which ``Confidence`` takes into account.
    public var checked: Candidate? {
        var candidate = self
        for problem in placemark.problems {
            switch problem {
            case .nullIsland: return nil
            case .nameIsCoordinate: candidate.placemark.name = nil
            case .unknownCountryCode:
                let names = [placemark.countryCode, placemark.countryName].compactMap(\.self)
                candidate.placemark.countryCode = names.lazy.compactMap(Country.init).first?.code
            case .countriesDiffer: candidate.score = (score ?? 1) / 2
            case .unnamed, .noCountry, .numberWithoutStreet: break
            }
        }
        return candidate
    }
}
