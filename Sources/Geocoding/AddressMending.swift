/// Corrects an address offline before a provider is called: a misspelt town or country.
///
/// Only the query has the correction; answers are graded against the address as it was written. The same address must
/// be corrected in the same way each time. Otherwise a question could lose its step on the ladder.
public protocol AddressMending: Sendable {
    func mended(_ address: Address) -> Address
}

extension Address {
    /// The address as a map contains it: without flat, floor and person; the first house of several; the postcode
    /// without its country.
    var tidied: Address {
        var address = withPostcodeApart
        let country = Country(country)
        address.postcode = Self.plain(postcode: postcode, in: country)
        // An address that is written entirely in the street field would lose its town.
        if !city.isEmpty || !postcode.isEmpty { address.street = Self.tidied(street: street, in: country) }
        if !address.postcode.isEmpty, !Self.regional.contains(country?.code ?? "") { address.region = "" }
        return address
    }

    /// The address with its postcode in the field of the postcode, and nothing else there: for `8001 Zürich` in the city
    /// field, `AL 36067` as a postcode, a postcode and a city in each other's fields, and a postcode alone as a street.
    package var withPostcodeApart: Address {
        // Most addresses have a postcode that begins with a digit, and a city without one.
        if let first = postcode.utf8.first, isDigit(first), !city.utf8.contains(where: isDigit) { return self }
        var address = self
        if !postcode.isEmpty, !postcode.contains(where: \.isNumber), city.contains(where: \.isNumber) {
            (address.city, address.postcode) = (postcode, city)
        } else if postcode.isEmpty, let first = city.utf8.first, isDigit(first) {
            let parts = city.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].count >= 3, parts[0].allSatisfy({ $0.isNumber || $0 == "-" }) else {
                return self
            }
            (address.postcode, address.city) = (String(parts[0]), String(parts[1]))
        } else if postcode.isEmpty, city.isEmpty, isPostcodeAlone {
            (address.street, address.postcode) = ("", street)
        }
        return address.withRegionApart
    }

    /// `AL 36067` as a postcode contains a region.
    private var withRegionApart: Address {
        let parts = postcode.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, (2...3).contains(parts[0].utf8.count), parts[0].allSatisfy(\.isLetter),
            parts[1].contains(where: \.isNumber)
        else { return self }
        let countries = Country.meant(by: country).map { [$0] } ?? ["US", "CA", "AU"].compactMap { Country($0) }
        guard countries.contains(where: { $0.regionCode(of: String(parts[0])) != nil }) else { return self }
        var address = self
        address.postcode = String(parts[1])
        if region.isEmpty { address.region = String(parts[0]) }
        return address
    }

    /// True if the street is only a postcode: digits, or letters and digits in the form of the country's postcodes.
    private var isPostcodeAlone: Bool {
        guard street.utf8.contains(where: isDigit), street.utf8.count < 12 else { return false }
        if street.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }) {
            return street.utf8.count(where: isDigit) > 3
        }
        return Country.meant(by: country).map { PostalPostcode.hasForm(street, in: $0) } ?? false
    }

    /// The address with only the digits of its house number; nil if that changes nothing.
    var withPlainNumber: Address? {
        var parts = AddressParts(self)
        let digits = String(parts.houseNumber.prefix { $0.isNumber })
        guard !digits.isEmpty, digits != parts.houseNumber, !parts.street.isEmpty else { return nil }
        parts.houseNumber = digits
        var address = self
        address.street = parts.streetLine
        return address
    }

    /// `FL-9490` is 9490.
    private static func plain(postcode: String, in country: Country?) -> String {
        guard let first = postcode.first, first.isLetter else { return postcode }
        let digits = PostcodeKey(postcode, in: country).text
        return digits.allSatisfy(\.isNumber) ? digits : postcode
    }

    private static func tidied(street: String, in country: Country?) -> String {
        guard !street.isEmpty, AddressParts(plain: street) == nil else { return street }
        var parts = AddressParts(reading: street, in: country)
        // A PO box is not on a map, but its town is.
        if parts.street.isEmpty { return parts.postBox.isEmpty ? street : "" }
        parts.houseNumber = HouseNumber(parts.houseNumber).first(in: country) ?? parts.houseNumber
        return parts.streetLine
    }

    /// Countries where a town's name is ambiguous without its state. In other countries the region is often a name that
    /// the provider's map does not have, and then the provider finds nothing.
    private static let regional: Set = ["US", "CA", "AU", "BR", "MX", "IN", "CN", "MY", "NG", "AR"]
}
