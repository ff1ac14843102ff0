extension Placemark {
    /// What makes a place unlikely to be one.
    public enum Problem: String, Codable, CaseIterable, Sendable {
        /// In the Gulf of Guinea, where failed programs put things: 0° N 0° E.
        case nullIsland = "null island"
        /// Not two letters of ISO 3166-1 in upper case.
        case countryCode = "country code"
        /// The country's code and its name are of two countries.
        case otherCountry = "other country"
        /// A house number without a street.
        case noStreet = "no street"
        /// A field with nothing but white space in it.
        case blankField = "blank field"
        /// Latitude and longitude in another field.
        case coordinateAsName = "coordinate as name"
    }

    public var isValid: Bool { problems.isEmpty }

    /// All of them, in a fixed order. A coordinate out of range is none: there is no such ``Coordinate``.
    public var problems: [Problem] {
        Problem.allCases.filter { problem in
            switch problem {
            case .nullIsland: coordinate.latitude == 0 && coordinate.longitude == 0
            case .countryCode: countryCode.map { Country($0)?.code != $0 } ?? false
            case .otherCountry: isOfTwoCountries
            case .noStreet: subThoroughfare != nil && thoroughfare == nil
            case .blankField: texts.contains { $0.nonBlank == nil }
            case .coordinateAsName: name.map(Self.isCoordinate) ?? false
            }
        }
    }

    private var isOfTwoCountries: Bool {
        guard let one = countryCode.flatMap(Country.init), let other = countryName.flatMap(Country.init) else {
            return false
        }
        return one != other
    }

    private var texts: [String] {
        [
            name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea, subAdministrativeArea,
            postalCode, countryCode, countryName,
        ].compactMap(\.self)
    }

    /// `60.17, 24.94`, and also `60.17° N 24.94° E`.
    static func isCoordinate(_ text: String) -> Bool {
        let parts = text.split { !$0.isNumber && $0 != "." && $0 != "-" }.compactMap { Double($0) }
        let isFractional = text.contains(".") || text.contains("°")
        return parts.count >= 2 && isFractional && text.filter(\.isLetter).allSatisfy("NSEWnsew".contains)
    }
}
