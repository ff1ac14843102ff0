/// A postal address as a person wrote it. Every field may be blank.
///
/// Its JSON is that of the API, in requests and in replies.
public struct Address: Hashable, Codable, Sendable {
    /// The street with its house number. May have several lines.
    public package(set) var street: String
    public package(set) var city: String
    public package(set) var region: String
    public package(set) var postcode: String
    public package(set) var country: String

    public init(
        street: String = "", city: String = "", region: String = "", postcode: String = "", country: String = ""
    ) {
        self.street = street
        self.city = city
        self.region = region
        self.postcode = postcode
        self.country = country
    }

    /// A missing or null member is a blank field.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            street: try values.decodeIfPresent(String.self, forKey: .street) ?? "",
            city: try values.decodeIfPresent(String.self, forKey: .city) ?? "",
            region: try values.decodeIfPresent(String.self, forKey: .region) ?? "",
            postcode: try values.decodeIfPresent(String.self, forKey: .postcode) ?? "",
            country: try values.decodeIfPresent(String.self, forKey: .country) ?? "")
    }

    /// True if no field contains anything except white space.
    public var isEmpty: Bool {
        street.isBlank && city.isBlank && region.isBlank && postcode.isBlank && country.isBlank
    }
}

extension String {
    fileprivate var isBlank: Bool {
        guard let first = utf8.first else { return true }
        // Text that begins with an ASCII letter or digit is not blank, which is quick to check.
        return (first <= 0x20 || first >= 0x7F) && allSatisfy(\.isWhitespace)
    }
}

extension Address {
    /// The address of the whole house, if this is a flat or room in it, or an address in care of a person; nil
    /// otherwise.
    public var withoutUnit: Address? {
        // Most streets are a name and a number. They have no unit, and this check finds that out quickly.
        guard
            street.utf8.contains(where: {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "#")
            })
                || street.utf8.count(where: { $0 == UInt8(ascii: " ") }) > 1
        else { return nil }
        guard AddressParts(plain: street) == nil else { return nil }
        let parts = AddressParts(reading: street, in: Country(country))
        guard ![parts.unit, parts.floor, parts.careOf].allSatisfy(\.isEmpty), !parts.houseNumber.isEmpty else {
            return nil
        }
        var house = self
        house.street = parts.streetLine
        return house
    }
}
