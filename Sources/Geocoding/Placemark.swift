/// A place with the names a provider gave it.
///
/// The fields are those of Apple's `CLPlacemark`, so that an app needs no translation, and they are the keys in JSON.
public struct Placemark: Hashable, Codable, Sendable {
    public var coordinate: Coordinate
    public var name: String?
    /// The street.
    public var thoroughfare: String?
    /// The house number.
    public var subThoroughfare: String?
    /// The city.
    public var locality: String?
    /// The neighbourhood.
    public var subLocality: String?
    /// The state or region.
    public var administrativeArea: String?
    /// The county.
    public var subAdministrativeArea: String?
    public var postalCode: String?
    /// ISO 3166-1 alpha-2, in upper case.
    public var countryCode: String?
    public var countryName: String?

    public init(
        coordinate: Coordinate, name: String? = nil, thoroughfare: String? = nil, subThoroughfare: String? = nil,
        locality: String? = nil, subLocality: String? = nil, administrativeArea: String? = nil,
        subAdministrativeArea: String? = nil, postalCode: String? = nil, countryCode: String? = nil,
        countryName: String? = nil
    ) {
        self.coordinate = coordinate
        self.name = name
        self.thoroughfare = thoroughfare
        self.subThoroughfare = subThoroughfare
        self.locality = locality
        self.subLocality = subLocality
        self.administrativeArea = administrativeArea
        self.subAdministrativeArea = subAdministrativeArea
        self.postalCode = postalCode
        self.countryCode = countryCode
        self.countryName = countryName
    }
}
