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
