import Geocoding

/// An address in the gazetteer's own spelling.
struct SoughtTown {
    /// Nil where the address names none: then it may be any.
    private(set) var country: CountryKey?
    /// The address names an unknown country.
    private(set) var isNowhere = false
    /// The rows of the postcode, else those of the area that it lies in.
    let postcodeRows: [Int]
    let postcodeKey: [UInt8]
    /// They are of the very code.
    let hasWholePostcode: Bool
    let city: [UInt8]
    let region: [UInt8]
    /// The region's code, in countries where people write it so; another code is another place.
    let regionCode: [UInt8]

    init(_ address: Address, in gazetteer: Gazetteer) {
        var region = address.region
        var code = Country(address.country)?.code
        if code == nil, !Folding.loose(address.country).isEmpty {
            if let known = CountrySpelling.country(like: address.country) {
                code = known
            } else if let owner = gazetteer.country(ofRegion: address.country) {
                code = owner
                if Folding.loose(region).isEmpty { region = address.country }
            } else {
                isNowhere = true
            }
        }
        let found = gazetteer.postcode(address.postcode, in: code)
        if code == nil { code = found.signed?.code }
        country = code.map { CountryKey($0) }
        postcodeRows = found.rows
        postcodeKey = found.key
        hasWholePostcode = found.isWhole
        // Behind a comma stands what the town lies in.
        let parts = address.city.split(separator: ",", maxSplits: 1)
        city = Array(Folding.loose(parts.first.map(String.init) ?? "").utf8)
        if region.isEmpty, parts.count > 1 { region = String(parts[1]) }
        let regionKey = Folding.loose(region)
        self.region = Array(
            (gazetteer.knowsRegion(regionKey) ? regionKey : NameKeys.regionKeys(regionKey).first ?? regionKey).utf8)
        regionCode =
            code.flatMap { RegionCode.strict.contains($0) ? RegionCode.code(region, in: $0) : nil }
            .map { Array($0.utf8) } ?? []
    }
}

/// Regions that are known by their codes.
enum RegionCode {
    /// Countries whose regions are written in so few ways that another region is another place.
    static let strict: Set = ["US", "CA", "AU"]

    /// Folded; nil for what is no region of the country.
    static func code(_ region: String, in country: String) -> String? {
        Country(country).flatMap { $0.regionCode(of: region) }
    }
}
