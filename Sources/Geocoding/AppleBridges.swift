// For Apple's platforms only. Our own checks run on Linux, which compiles none of this: keep it as plain as it is.
//
// The framework Contacts is not here. Waypost has a room of that name, which an import could mean as well;
// docs/geocoding.md has the few lines for an app to copy.

#if canImport(CoreLocation)
    public import CoreLocation

    extension Coordinate {
        /// Nil for `kCLLocationCoordinate2DInvalid`, and for what else is not on Earth.
        public init?(_ coordinate: CLLocationCoordinate2D) {
            self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
        }
    }

    extension CLLocationCoordinate2D {
        public init(_ coordinate: Coordinate) {
            self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
        }
    }

    extension CLLocation {
        public convenience init(_ coordinate: Coordinate) {
            self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
        }
    }

    extension Placemark {
        /// Nil for a placemark without a location.
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

#if canImport(MapKit)
    public import MapKit

    extension Placemark {
        /// Nil for a map item without a location. Its name is that of the item: a shop rather than its street.
        public init?(_ item: MKMapItem) {
            self.init(item.placemark)
            name = item.name ?? name
        }

        /// What a map shows: the position, under the name that says most.
        public var mapItem: MKMapItem {
            let item = MKMapItem(placemark: MKPlacemark(coordinate: CLLocationCoordinate2D(coordinate)))
            item.name = displayName
            return item
        }
    }
#endif
