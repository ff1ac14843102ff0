/// A place with the names that a provider gave it.
///
/// The fields are those of Apple's `CLPlacemark`, so that an app needs no translation.
public struct Placemark: Hashable, Sendable {
    public package(set) var coordinate: Coordinate
    public package(set) var name: String?
    /// The street.
    public package(set) var thoroughfare: String?
    /// The house number.
    public package(set) var subThoroughfare: String?
    /// The city.
    public package(set) var locality: String?
    /// The neighbourhood.
    public package(set) var subLocality: String?
    /// The state or region.
    public package(set) var administrativeArea: String?
    /// The county.
    public package(set) var subAdministrativeArea: String?
    public package(set) var postalCode: String?
    /// ISO 3166-1 alpha-2, in upper case.
    public package(set) var countryCode: String?
    public package(set) var countryName: String?

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

extension Placemark {
    /// The distance along the ground, in metres, on the ellipsoid of WGS 84.
    public func distance(to other: Placemark) -> Double {
        coordinate.distance(to: other.coordinate)
    }

    public func isWithin(_ metres: Double, of other: Coordinate) -> Bool {
        coordinate.isWithin(metres, of: other)
    }

    public func isWithin(_ metres: Double, of other: Placemark) -> Bool {
        isWithin(metres, of: other.coordinate)
    }
}
