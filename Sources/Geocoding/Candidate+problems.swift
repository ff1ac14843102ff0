extension Candidate {
    /// The candidate without what makes its placemark doubtful; nil where it lies on null island, which is no answer.
    ///
    /// A code that is no code of ISO 3166-1 alpha-2 becomes that of the country which it or the country's name means. A
    /// coordinate is taken off as a name. A code and a name of different countries halve what its provider is sure of.
    /// The other problems are parts that are missing, and ``Confidence`` sees those.
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
