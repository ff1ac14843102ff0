import Geocoding

/// An address in the gazetteer's own spelling.
struct GazetteerQuestion {
    let country: String
    let postcode: String
    let area: String
    let city: String
    let region: String
    let isRegionStrict: Bool

    /// Countries whose regions are written in so few ways that another region is another place.
    private static let strictRegions: Set = ["US", "CA", "AU"]

    init(_ address: Address) {
        // A country nobody has heard of holds no place we know; no country at all may be any.
        country = Country(address.country)?.code ?? (address.country.isEmpty ? "" : "?")
        postcode = Gazetteer.postcodeKey(address.postcode, in: country)
        area = Gazetteer.area(of: postcode, in: country)
        city = Folding.loose(address.city)
        region = Folding.loose(address.region)
        isRegionStrict = !region.isEmpty && Self.strictRegions.contains(country)
    }
}

extension Gazetteer {
    /// Spaces and hyphens stand at different places in the same postcode, and some people put their
    /// country in front: `L-1115`, `LV-1005`, `D-80331`.
    static func postcodeKey(_ postcode: String, in country: String) -> String {
        PostcodeKey(postcode, in: country).text
    }

    /// The part of a postcode for which there is a row, in countries where GeoNames gives no whole ones.
    static func area(of postcode: String, in country: String) -> String {
        switch country {
        case "GB" where postcode.count > 4: String(postcode.dropLast(3))
        case "CA" where postcode.count > 3, "IE" where postcode.count > 3: String(postcode.prefix(3))
        case "NL" where postcode.count > 4: String(postcode.prefix(4))
        case "US" where postcode.count > 5: String(postcode.prefix(5))
        default: ""
        }
    }
}
