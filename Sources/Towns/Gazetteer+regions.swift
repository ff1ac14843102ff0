import Geocoding

extension Gazetteer {
    /// Returns whether a place lies in the region with this folded name or code.
    func isRegion(_ key: [UInt8], _ code: [UInt8], ofPlace place: Int) -> Bool {
        let region = regions[Int(places[place].region)]
        if !code.isEmpty { return image.text(at: region.codeKey).elementsEqual(code) }
        let regions = key.withUnsafeBufferPointer { self.regions(called: $0) }
        return regions.contains { $0.row == UInt32(places[place].region) }
    }

    func knowsRegion(_ key: String) -> Bool {
        !Array(key.utf8).withUnsafeBufferPointer { regions(called: $0) }.isEmpty
    }

    func knowsRegion(_ key: [UInt8], in country: CountryKey) -> Bool {
        key.withUnsafeBufferPointer { regions(called: $0) }.contains {
            country.covers(UInt16(regions[Int($0.row)].country))
        }
    }

    /// The country that has a region with this name, if it is the only one.
    func country(ofRegion name: String) -> String? {
        let key = Array(Folding.loose(name).utf8)
        guard key.count > 3 else { return nil }
        let found = key.withUnsafeBufferPointer { regions(called: $0) }
        let countries = Set(found.map { regions[Int($0.row)].country })
        return countries.count == 1 ? countries.first.map { CountryKey(UInt16($0)).code } : nil
    }

    /// The country whose region has one of these postcodes, if people there write regions as codes: `PA 19103`.
    func country(ofPostcodes rows: [Int], in region: String) -> String? {
        guard !rows.isEmpty, !region.isEmpty else { return nil }
        return RegionCode.strict.sorted().first { country in
            guard let code = RegionCode.code(region, in: country) else { return false }
            return rows.contains { row in
                let found = postcodes[row]
                return CountryKey(found.country).code == country
                    && image.text(at: regions[Int(found.region)].codeKey).elementsEqual(code.utf8)
            }
        }
    }
}
