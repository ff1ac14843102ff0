import Geocoding

extension Gazetteer {
    /// Looks up a postcode as it was written, in one country or in all.
    func postcode(_ text: String, in country: String?) -> (
        key: [UInt8], rows: [Int], signed: CountryKey?, isWhole: Bool
    ) {
        var key = PostcodeText.key(text, in: country ?? "")
        guard !key.isEmpty else { return ([], [], nil, false) }
        var signed: CountryKey?
        if country == nil, let sign = PostcodeText.signed(text) { (signed, key) = (CountryKey(sign.country), sign.key) }
        let place = country.map { CountryKey($0) } ?? signed
        func wholeRows() -> [Int] {
            rows(ofPostcode: key).filter { place?.covers(postcodes[$0].country) ?? true }
        }
        var whole = wholeRows()
        // A spreadsheet removes leading zeros.
        if whole.isEmpty, let country {
            key = PostcodeKey(text, in: country).padded
            whole = wholeRows()
        }
        let shape = PostcodeShape(key.utf8)
        let areas = (place.map { [$0] } ?? Self.withAreas).filter { shape.fits(in: $0) }
        let around = areas.flatMap { country -> [Int] in
            let area = PostcodeText.area(of: key, in: country.code)
            return area.isEmpty ? [] : rows(ofPostcode: area).filter { postcodes[$0].country == country.value }
        }
        // If the country is known, a row with the whole postcode is enough.
        let isWhole = !whole.isEmpty || place.map { Self.withSmallAreas.contains($0) } ?? false
        return (Array(key.utf8), place == nil || whole.isEmpty ? whole + around : whole, signed, isWhole)
    }

    /// The country whose postcodes alone have this form, if it has this one: `SW1A 2AA`, `1015 CN`, `K1M 1M4`.
    func country(ofWholePostcode key: [UInt8]) -> String? {
        guard let country = PostcodeShape(key).onlyCountry else { return nil }
        let area = PostcodeText.area(of: String(decoding: key, as: UTF8.self), in: country.code)
        let isKnown = rows(ofPostcode: area).contains { country.covers(postcodes[$0].country) }
        return isKnown ? country.code : nil
    }

    /// Countries in which all of an area lies within some kilometres.
    private static let withSmallAreas = Set(["GB", "NL", "US", "PT"].map { CountryKey($0) })

    private func rows(ofPostcode key: String) -> [Int] {
        Array(key.utf8).withUnsafeBufferPointer { places(withPostcode: $0) }.map { Int($0.row) }
    }

    /// Countries for which GeoNames has only areas, not whole postcodes.
    private static let withAreas = ["GB", "CA", "IE", "NL", "US", "AR", "MT", "PT"].map { CountryKey($0) }
}

extension CountryKey {
    /// Returns whether an address in this country may be a place of `other`: the same country, or one of its
    /// territories.
    func covers(_ other: UInt16) -> Bool {
        if value == other { return true }
        return Self.territories[value]?.contains(other) ?? false
    }

    /// Returns whether an address in this country may be a place with another country code.
    var hasTerritories: Bool { Self.territories[value] != nil }

    private static let territories: [UInt16: Set<UInt16>] = {
        var territories: [UInt16: Set<UInt16>] = [:]
        for country in Country.all {
            guard let sovereign = country.sovereignCode else { continue }
            territories[CountryKey(sovereign).value, default: []].insert(CountryKey(country.code).value)
        }
        return territories
    }()
}
