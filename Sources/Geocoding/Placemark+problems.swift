extension Placemark {
    /// What makes a placemark doubtful. The raw values are for programs: never rename a case.
    public enum Problem: String, Sendable, Codable, CaseIterable {
        /// See ``Coordinate/isNullIsland``.
        case nullIsland
        /// Neither a name nor any part of an address.
        case unnamed
        /// The name is a coordinate.
        case nameIsCoordinate
        case noCountry
        case unknownCountryCode
        /// Code and name are of different countries.
        case countriesDiffer
        case numberWithoutStreet
    }

    /// All that is wrong, in the order of the cases. Empty for a placemark without fault.
    public var problems: [Problem] {
        Problem.allCases.filter(has)
    }

    private func has(_ problem: Problem) -> Bool {
        switch problem {
        case .nullIsland: coordinate.isNullIsland
        case .unnamed:
            [
                name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea, subAdministrativeArea,
                postalCode, countryCode, countryName,
            ].allSatisfy(Self.isBlank)
        case .nameIsCoordinate: !Self.isBlank(name) && properName == nil
        case .noCountry: Self.isBlank(countryCode) && Self.isBlank(countryName)
        case .unknownCountryCode: !Self.isBlank(countryCode) && countryOfCode == nil
        case .countriesDiffer: countryOfCode.map { $0 != countryName.flatMap(Country.init) ?? $0 } ?? false
        case .numberWithoutStreet: Self.isBlank(thoroughfare) && !Self.isBlank(subThoroughfare)
        }
    }

    /// Only by the code itself. `Country` would take a name as well.
    private var countryOfCode: Country? {
        countryCode.flatMap(Country.init).flatMap { $0.code == countryCode ? $0 : nil }
    }

    private static func isBlank(_ text: String?) -> Bool {
        PostalParts.line(text ?? "").isEmpty
    }
}
