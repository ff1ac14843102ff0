// For Apple's platforms only. Our own checks run on Linux, which does not compile this file: keep it simple.

#if canImport(CoreLocation)
    public import CoreLocation

    extension Coordinate {
        /// Returns nil for `kCLLocationCoordinate2DInvalid`, and for any other position that is not on Earth.
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
        /// Returns nil for a placemark without a location.
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
