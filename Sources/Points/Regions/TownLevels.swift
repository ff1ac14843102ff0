/// The levels of boundaries that are "the town" of an address, by country.
///
/// https://wiki.openstreetmap.org/wiki/Tag:boundary%3Dadministrative#Country_specific_values_.E2.80.8B.E2.80.8Bof_the_key_admin_level=*
package struct TownLevels: Hashable, Sendable {
    /// The first one that contains a position is its town.
    package let levels: [Int]
    /// A boundary of such a level is a town only if it contains none: a city that is its own district or state.
    package let cityLevels: [Int]

    private init(_ levels: [Int], cities: [Int] = []) { (self.levels, cityLevels) = (levels, cities) }

    package static func of(country: String) -> TownLevels { byCountry[country.uppercased()] ?? usual }

    private static let usual = TownLevels([8, 7, 6])

    private static let byCountry: [String: TownLevels] = [
        "AD": .init([7]), "AR": .init([8, 7], cities: [5, 4]), "AT": .init([8], cities: [6, 4]),
        "AU": .init([9, 10, 6]), "BE": .init([8]), "BR": .init([8]), "CA": .init([8], cities: [6]),
        "CH": .init([8]), "CL": .init([8]), "CZ": .init([8], cities: [7, 6]), "DE": .init([8], cities: [6, 4]),
        "DK": .init([7]), "EE": .init([7]), "ES": .init([8]), "FI": .init([8]), "FR": .init([8]),
        "GB": .init([10, 8, 6]), "GR": .init([7]), "HU": .init([8], cities: [6]), "ID": .init([5]),
        "IS": .init([6]), "IT": .init([8]), "JP": .init([7]), "KR": .init([6], cities: [4]), "LI": .init([8]),
        "LT": .init([5]), "LU": .init([8]), "LV": .init([7, 5]), "MX": .init([6]), "NL": .init([10, 8]),
        "NO": .init([7]), "PH": .init([6]), "PL": .init([8, 7], cities: [6]), "PT": .init([7]), "SE": .init([7]),
        "SK": .init([9]), "TH": .init([6]), "TR": .init([6]), "US": .init([8, 7, 5], cities: [6]),
        "ZA": .init([6]),
    ]
}
