extension Address {
    /// The precision that an answer to this address can be expected to have: a house, if it names one, a street, and so
    /// on. Nil if the address is empty.
    public var expectedPrecision: Precision? { ComparableAddress(self).level }
}

/// An address in the form in which answers are compared with it. Create it once for all answers to one address.
package struct ComparableAddress {
    private let address: Address
    private let parts: AddressParts
    private let country: Country?
    /// The precision that an answer can be expected to have. Interpolation counts as good as a rooftop. Nil if the
    /// address is empty.
    let level: Precision?

    package init(_ written: Address) {
        address = written.withPostcodeApart
        country = Country.meant(by: address.country)
        parts = address.street.isEmpty ? AddressParts() : AddressParts(address.street, in: country)
        level =
            if !parts.street.isEmpty {
                parts.houseNumber.isEmpty ? .street : .interpolated
            } else if Self.saysSomething(address.postcode) {
                .postcode
            } else if Self.saysSomething(address.city) {
                .city
            } else if Self.saysSomething(address.region) {
                .region
            } else {
                country == nil ? nil : .country
            }
    }

    /// True if an answer is weak: coarser than the question, such as a town for a street.
    ///
    /// This is the only place of this rule. Its result is stored with the answer.
    package func isWeak(_ precision: Precision) -> Bool { level.map { precision > $0 } ?? false }

    func matches(_ found: Placemark) -> Matches {
        if let divided = divided(by: found) { return ComparableAddress(divided).matches(found) }
        let (street, number) = Self.streetAndNumber(of: found)
        let isHouse = !parts.houseNumber.isEmpty && !parts.street.isEmpty
        return Matches(
            country: country.map { match($0, found) } ?? .unasked, region: match(region: found.administrativeArea),
            postcode: match(postcode: found.postalCode), city: matchCity(found),
            street: parts.street.isEmpty ? .unasked : match(street: street, name: found.name),
            houseNumber: isHouse ? HouseNumber(parts.houseNumber).match(number) : .unasked)
    }

    /// The address with its town apart, if the town is still in the text of the street: `Vaduz Städtle 32`.
    private func divided(by found: Placemark) -> Address? {
        guard address.city.isEmpty, parts.street.contains(" ") else { return nil }
        let words = address.street.split(separator: " ")
        for town in [found.locality, found.subLocality].compactMap(\.self) {
            let (key, count) = (Folding.loose(town), town.split(separator: " ").count)
            guard !key.isEmpty, words.count > count else { continue }
            for place in [0, words.count - count]
            where Folding.loose(words[place..<place + count].joined(separator: " ")) == key {
                var divided = address
                divided.city = town
                divided.street = (words[..<place] + words[(place + count)...]).joined(separator: " ")
                return divided
            }
        }
        return nil
    }

    /// Some providers return street and number in one field.
    private static func streetAndNumber(of found: Placemark) -> (String?, String?) {
        guard let street = found.thoroughfare, found.subThoroughfare == nil else {
            return (found.thoroughfare, found.subThoroughfare)
        }
        let parts = AddressParts(street, in: found.countryCode.flatMap(Country.init))
        return parts.houseNumber.isEmpty ? (street, nil) : (parts.street, parts.houseNumber)
    }

    private func match(_ country: Country, _ found: Placemark) -> Match {
        if country.code == found.countryCode { return .same }
        guard let spelling = found.countryCode ?? found.countryName, !key(spelling).isEmpty else { return .missing }
        guard let other = Country(spelling)?.code else { return .different }
        if country.code == other { return .same }
        let isTerritory =
            Territories.sovereign(of: other) == country.code || Territories.sovereign(of: country.code) == other
        return isTerritory ? .similar : .different
    }

    /// Regions have many names in many languages, so only regions whose codes we know can differ.
    private func match(region found: String?) -> Match {
        if address.region.isEmpty { return .unasked }
        let asked = key(address.region)
        if asked.isEmpty { return .unasked }
        let other = key(found)
        if other.isEmpty { return .missing }
        if asked == other { return .same }
        guard let country, let code = regionCode(address.region, in: country),
            let otherCode = regionCode(found, in: country)
        else { return .missing }
        return code == otherCode ? .same : .different
    }

    private func regionCode(_ name: String?, in country: Country) -> [UInt8]? {
        Region.code(folded: Array(Folding.canonical(name ?? "").utf8)[...], in: country)
    }

    private func match(postcode found: String?) -> Match {
        if address.postcode.isEmpty { return .unasked }
        if address.postcode == found { return .same }
        let asked = PostcodeKey(address.postcode, in: country)
        if asked.text.isEmpty { return .unasked }
        let other = PostcodeKey(found ?? "", in: country)
        return other.text.isEmpty ? .missing : asked.match(other)
    }

    /// True if two postcodes begin alike. Postcodes of two towns with the same name don't.
    func isNear(postcode found: String?) -> Bool {
        let (asked, other) = (PostcodeKey(address.postcode, in: country), PostcodeKey(found ?? "", in: country))
        return asked.text.count == other.text.count && asked.text.count > 3
            && asked.text.prefix(2) == other.text.prefix(2)
    }

    /// A city for one provider may be a district or a county for another.
    private func matchCity(_ found: Placemark) -> Match {
        if address.city.isEmpty { return .unasked }
        // Most are equal, and the full comparison takes a hundred times as long.
        if address.city == found.locality, Self.saysSomething(address.city) { return .same }
        let asked = CityName(address.city)
        if asked.isEmpty { return .unasked }
        let cities = [found.locality, found.subLocality].map { CityName($0 ?? "") }.filter { !$0.isEmpty }
        let areas = [found.subAdministrativeArea, found.administrativeArea].map { CityName($0 ?? "") }
            .filter { !$0.isEmpty }
        let city = Match.best(of: cities.map(asked.match))
        let area = Match.best(of: areas.map(asked.match))
        if city == .same || cities.isEmpty && area == .same { return .same }
        if city == .similar || area == .same || area == .similar { return .similar }
        return city ?? .missing
    }

    private func match(street: String?, name: String?) -> Match {
        if street == nil, name == nil { return .missing }
        let asked = StreetName(parts.street)
        let streets = [street, name].map { StreetName($0 ?? "") }.filter { !$0.isEmpty }
        let best = Match.best(of: streets.map(asked.match)) ?? .missing
        // The name of a town or a shop does not count as a different street.
        return best == .different && key(street).isEmpty ? .missing : best
    }

    private func key(_ text: String?) -> String {
        Folding.loose(text ?? "")
    }

    private static func saysSomething(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return isLetterOrDigit(first) || !Folding.loose(text).isEmpty
    }
}

/// Territories with an ISO 3166-1 code that belong to another country, whose name people write in addresses.
enum Territories {
    static func sovereign(of code: String) -> String? { sovereigns[code] }

    private static let sovereigns = [
        "PR": "US", "GU": "US", "VI": "US", "AS": "US", "MP": "US", "HK": "CN", "MO": "CN", "GP": "FR", "MQ": "FR",
        "GF": "FR", "RE": "FR", "YT": "FR", "PM": "FR", "BL": "FR", "MF": "FR", "NC": "FR", "PF": "FR", "WF": "FR",
        "JE": "GB", "GG": "GB", "IM": "GB", "GI": "GB", "AX": "FI", "SJ": "NO", "GL": "DK", "FO": "DK", "AW": "NL",
        "CW": "NL", "SX": "NL", "BQ": "NL", "XK": "RS",
    ]
}
