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
