import Geocoding

/// An address that is searched for, in the spelling of the gazetteer.
struct SoughtTown {
    /// Nil if the address names no country: then every country is searched.
    private(set) var country: CountryKey?
    /// The address names an unknown country. Then every country is searched, and a person reviews what is found.
    private(set) var isCountryUnknown = false
    /// The rows of the postcode, or else those of its area.
    let postcodeRows: [Int]
    let postcodeKey: [UInt8]
    /// True if the rows are of the whole postcode, not of its area.
    let hasWholePostcode: Bool
    let city: [UInt8]
    let region: [UInt8]
    /// The region's code, in countries whose addresses use it. A different code means a different place.
    let regionCode: [UInt8]

    init(_ address: Address, in gazetteer: Gazetteer) {
        var region = address.region
        var code = Country.meant(by: address.country)?.code
        if code == nil, !Fillers.meansNothing(Folding.loose(address.country)) {
            if address.country.utf8.count != 2, let sign = PostcodeKey.country(ofSign: address.country) {
                code = sign
            } else if let known = CountrySpelling.country(like: address.country) {
                code = known
            } else if let owner = gazetteer.country(ofRegion: address.country) {
                code = owner
                if Folding.loose(region).isEmpty { region = address.country }
            } else {
                isCountryUnknown = true
            }
        }
        var found = gazetteer.postcode(address.postcode, in: code)
        if code == nil { code = found.signed?.code }
        if code == nil, let owner = gazetteer.country(ofWholePostcode: found.key) {
            code = owner
            found = gazetteer.postcode(address.postcode, in: owner)
        }
        if code == nil, let owner = gazetteer.country(ofPostcodes: found.rows, in: region) {
            code = owner
            found = gazetteer.postcode(address.postcode, in: owner)
        }
        country = code.map { CountryKey($0) }
        postcodeRows = found.rows
        postcodeKey = found.key
        hasWholePostcode = found.isWhole
        // The text after a comma is the region of the town.
        let parts = address.city.split(separator: ",", maxSplits: 1)
        city = Array(Folding.loose(parts.first.map(String.init) ?? "").utf8)
        if region.isEmpty, parts.count > 1 { region = String(parts[1]) }
        let regionKey = Folding.loose(region)
        // `陕西省` is 陕西.
        let isLetters = regionKey.utf8.count > 6 && regionKey.utf8.allSatisfy { $0 > 0x7F }
        let shorter = NameKeys.regionKeys(regionKey).first ?? (isLetters ? String(regionKey.dropLast()) : regionKey)
        let isKnown = gazetteer.knowsRegion(regionKey) || isLetters && !gazetteer.knowsRegion(shorter)
        self.region = Array((isKnown ? regionKey : shorter).utf8)
        regionCode =
            code.flatMap { RegionCode.strict.contains($0) ? RegionCode.code(region, in: $0) : nil }
            .map { Array($0.utf8) } ?? []
    }

    /// True if only the name of a town is given.
    var isBare: Bool { country == nil && region.isEmpty && postcodeKey.isEmpty }
}

/// Codes of regions.
enum RegionCode {
    /// Countries whose regions have so few spellings that a different region means a different place.
    static let strict: Set = ["US", "CA", "AU"]

    /// The folded code; nil if the text is not a region of the country.
    static func code(_ region: String, in country: String) -> String? {
        Country(country).flatMap { $0.regionCode(of: region) }
    }
}
