/// A postal address as somebody wrote it. Every field may be blank.
public struct Address: Hashable, Sendable {
    /// The street with its house number. May have several lines.
    public var street: String
    public var city: String
    public var region: String
    public var postcode: String
    public var country: String

    public init(
        street: String = "", city: String = "", region: String = "", postcode: String = "", country: String = ""
    ) {
        self.street = street
        self.city = city
        self.region = region
        self.postcode = postcode
        self.country = country
    }

    /// True when no field has anything but white space in it.
    public var isEmpty: Bool {
        street.isBlank && city.isBlank && region.isBlank && postcode.isBlank && country.isBlank
    }
}

extension String {
    fileprivate var isBlank: Bool {
        guard let first = utf8.first else { return true }
        // What begins with a letter or digit of ASCII is told from a blank at a glance.
        return (first <= 0x20 || first >= 0x7F) && allSatisfy(\.isWhitespace)
    }
}
