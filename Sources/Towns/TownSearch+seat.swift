import Geocoding

extension TownSearch {
    /// The countries of which most addresses are nearer to the middle of their postcode than to the town, however far
    /// that is. docs/confidence.md has the measurements.
    static let smallPostcodes = Set(
        ["US", "PR", "GB", "JP", "KR", "DE", "ES", "FI", "NL", "CZ"].map { CountryKey($0).value })

    /// The distance above which the town is used instead of the postcode in this row.
    func seat(ofPostcode row: Int) -> Double {
        let country = gazetteer.postcodes[row].country
        // In Canada a 0 marks the country around the towns, and the points of some other areas are 11 km off.
        if country == CountryKey("CA").value {
            return sought.postcodeKey.dropFirst().first == UInt8(ascii: "0") ? Self.seat : 10_000
        }
        let namesTown =
            self.row(of: sought.city, among: [row]) != nil || Self.withPartsOfTowns.contains(country)
        return Self.smallPostcodes.contains(country) && namesTown ? Self.near : Self.seat
    }

    /// The countries in which rows name a part of the town.
    private static let withPartsOfTowns = Set(["GB", "JP"].map { CountryKey($0).value })
}
