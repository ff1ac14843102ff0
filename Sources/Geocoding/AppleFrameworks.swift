// Between Waypost's values and those of Apple's frameworks. None of this is compiled on Linux, where we build and test: it is
// kept so small that reading it is enough. Whoever changes it builds the package once on a Mac.
//
// An `MKPlacemark` is a `CLPlacemark`, so this is for MapKit as well. What needs Apple's framework Contacts is in docs/apps.md
// for apps to copy: we have a room of that name, and inside this package the room would be imported.

#if canImport(CoreLocation)
    public import CoreLocation

    extension Coordinate {
        /// Nil where CoreLocation has an invalid coordinate.
        public init?(_ coordinate: CLLocationCoordinate2D) {
            self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
        }

        public var coreLocation: CLLocationCoordinate2D {
            CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        }
    }

    extension Placemark {
        /// Nil where the placemark has no location.
        public init?(_ placemark: CLPlacemark) {
            guard let location = placemark.location, let coordinate = Coordinate(location.coordinate) else {
                return nil
            }
            self.init(
                coordinate: coordinate, name: placemark.name, thoroughfare: placemark.thoroughfare,
                subThoroughfare: placemark.subThoroughfare, locality: placemark.locality,
                subLocality: placemark.subLocality, administrativeArea: placemark.administrativeArea,
                subAdministrativeArea: placemark.subAdministrativeArea, postalCode: placemark.postalCode,
                countryCode: placemark.isoCountryCode, countryName: placemark.country)
        }
    }
#endif
