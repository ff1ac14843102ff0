extension Placemark {
    /// A name of a place, and its members in the two forms of JSON.
    package struct Name: Sendable {
        package let path: any WritableKeyPath<Placemark, String?> & Sendable
        /// In the JSON of the API.
        package let member: String
        /// In the cluster's table `geocodes`, and in apps that stored placemarks before the library had the API's form.
        package let stored: String

        fileprivate init(_ path: any WritableKeyPath<Placemark, String?> & Sendable, _ member: String, stored: String) {
            (self.path, self.member, self.stored) = (path, member, stored)
        }
    }

    /// All names.
    package static let names = [
        Name(\.name, "name", stored: "name"),
        Name(\.thoroughfare, "street", stored: "thoroughfare"),
        Name(\.subThoroughfare, "house_number", stored: "subThoroughfare"),
        Name(\.locality, "city", stored: "locality"),
        Name(\.subLocality, "neighbourhood", stored: "subLocality"),
        Name(\.administrativeArea, "region", stored: "administrativeArea"),
        Name(\.subAdministrativeArea, "county", stored: "subAdministrativeArea"),
        Name(\.postalCode, "postcode", stored: "postalCode"),
        Name(\.countryCode, "country_code", stored: "countryCode"),
        Name(\.countryName, "country", stored: "countryName"),
    ]
}

/// The JSON of the API: the coordinate and the names are members of one object. A name without a value is left out.
extension Placemark: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let stored = try values.decodeIfPresent(Coordinate.self, forKey: Key(stringValue: "coordinate"))
        self.init(coordinate: try stored ?? Coordinate(from: decoder))
        for name in Self.names {
            let key = Key(stringValue: stored == nil ? name.member : name.stored)
            self[keyPath: name.path] = try values.decodeIfPresent(String.self, forKey: key)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try coordinate.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        for name in Self.names {
            try values.encodeIfPresent(self[keyPath: name.path], forKey: Key(stringValue: name.member))
        }
    }
}
