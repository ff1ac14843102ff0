/// The keys under which a street is stored among address points, and found again in another spelling.
///
/// Stored: after a change of these rules, or of ``LooseRules``, sets of points must be loaded again.
package struct PointKey: Hashable, Sendable {
    /// The street's name as in a ``LooseKey``. Empty if the street has no letter and no digit.
    package var name: String
    /// The key of the town and its country; nil without a town. The next two keys are alike.
    package var town: Int?
    package let district: Int?
    package let postcode: Int?

    package init(street: String, city: String, district: String = "", postcode: String, in country: Country?) {
        let rules = LooseRules.of(country?.code)
        var utf8: [UInt8] = []
        rules.appendStreet(street, to: &utf8)
        name = String(decoding: utf8, as: UTF8.self)
        let (town, part) = (Self.town(city, in: country), Self.town(district, in: country))
        self.town = town
        self.district = part == town ? nil : part
        self.postcode = Self.key(of: "postcode", in: country) { $0 += PostcodeKey(postcode, in: country).padded.utf8 }
    }

    /// The key of a town.
    package static func town(_ name: String, in country: Country?) -> Int? {
        key(of: "town", in: country) { LooseRules.of(country?.code).appendTown(name, to: &$0) }
    }

    /// `12a` for `12 A` and `12-a`.
    package static func number(_ houseNumber: String) -> String {
        var utf8: [UInt8] = []
        LooseText.append(houseNumber: houseNumber, to: &utf8)
        return String(decoding: utf8, as: UTF8.self)
    }

    /// Returns the number of typos between two names; more than `limit` if there are more.
    package static func typos(between one: [UInt8], and other: [UInt8], atMost limit: Int) -> Int {
        NameWords.editDistance(one, other, atMost: limit)
    }

    /// True if the street `one` is `other` with a typo.
    package static func isTypo(_ one: String, of other: String) -> Bool {
        StreetName(one).isTypo(of: StreetName(other))
    }

    /// Nil if `append` appends nothing.
    private static func key(of kind: String, in country: Country?, _ append: (inout [UInt8]) -> Void) -> Int? {
        var text = Array("\(kind)|\(country?.code ?? "")|".utf8)
        let empty = text.count
        append(&text)
        return text.count > empty ? SHA256.key(of: text) : nil
    }
}

extension AddressPoint {
    package var key: PointKey {
        // Most people write only Paris for `Paris 15e Arrondissement`.
        let words = city.split(separator: " ")
        let town = words.prefix { !$0.contains(where: \.isNumber) }.joined(separator: " ")
        let isDistrict = district.isEmpty && !town.isEmpty && town.utf8.count < city.utf8.count
        return PointKey(
            street: streetOrPlace, city: isDistrict ? town : city, district: isDistrict ? city : district,
            postcode: postcode, in: Country(countryCode))
    }

    /// Villages without streets number their houses through.
    package var streetOrPlace: String { street.isEmpty ? district.isEmpty ? city : district : street }
}
