/// The JSON of the API: the coordinate and the names are members of one object. A name without a value is left out.
extension Placemark: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude, name
        case thoroughfare = "street"
        case subThoroughfare = "house_number"
        case locality = "city"
        case subLocality = "neighbourhood"
        case administrativeArea = "region"
        case subAdministrativeArea = "county"
        case postalCode = "postcode"
        case countryCode = "country_code"
        case countryName = "country"
    }

    /// The members of the form in the cluster's table `geocodes`.
    private enum StoredKeys: String, CodingKey {
        case coordinate, name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea
        case subAdministrativeArea, postalCode, countryCode, countryName
    }

    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: StoredKeys.self)
        if let coordinate = try stored.decodeIfPresent(Coordinate.self, forKey: .coordinate) {
            try self.init(at: coordinate, stored)
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
        self.init(
            coordinate: try Coordinate(from: decoder), name: try text(.name), thoroughfare: try text(.thoroughfare),
            subThoroughfare: try text(.subThoroughfare), locality: try text(.locality),
            subLocality: try text(.subLocality), administrativeArea: try text(.administrativeArea),
            subAdministrativeArea: try text(.subAdministrativeArea), postalCode: try text(.postalCode),
            countryCode: try text(.countryCode), countryName: try text(.countryName))
    }

    /// Reads the form of the cluster's table `geocodes`, and of apps that stored placemarks before the library had the
    /// API's form.
    private init(at coordinate: Coordinate, _ values: KeyedDecodingContainer<StoredKeys>) throws {
        func text(_ key: StoredKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
        self.init(
            coordinate: coordinate, name: try text(.name), thoroughfare: try text(.thoroughfare),
            subThoroughfare: try text(.subThoroughfare), locality: try text(.locality),
            subLocality: try text(.subLocality), administrativeArea: try text(.administrativeArea),
            subAdministrativeArea: try text(.subAdministrativeArea), postalCode: try text(.postalCode),
            countryCode: try text(.countryCode), countryName: try text(.countryName))
    }

    public func encode(to encoder: any Encoder) throws {
        try coordinate.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encodeIfPresent(thoroughfare, forKey: .thoroughfare)
        try values.encodeIfPresent(subThoroughfare, forKey: .subThoroughfare)
        try values.encodeIfPresent(locality, forKey: .locality)
        try values.encodeIfPresent(subLocality, forKey: .subLocality)
        try values.encodeIfPresent(administrativeArea, forKey: .administrativeArea)
        try values.encodeIfPresent(subAdministrativeArea, forKey: .subAdministrativeArea)
        try values.encodeIfPresent(postalCode, forKey: .postalCode)
        try values.encodeIfPresent(countryCode, forKey: .countryCode)
        try values.encodeIfPresent(countryName, forKey: .countryName)
    }
}
