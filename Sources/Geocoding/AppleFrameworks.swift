// Between Waypost's values and those of Apple's frameworks. None of this is compiled on Linux, where we build and test: it is
// kept so small that reading it is enough. Whoever changes it builds the package once on a Mac.

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

// On Linux `Contacts` is a room of our own.
#if canImport(CoreLocation) && canImport(Contacts)
    public import Contacts

    extension Placemark {
        public var postalAddress: CNMutablePostalAddress {
            let address = CNMutablePostalAddress()
            address.street = street ?? ""
            address.subLocality = subLocality ?? ""
            address.city = locality ?? ""
            address.subAdministrativeArea = subAdministrativeArea ?? ""
            address.state = administrativeArea ?? ""
            address.postalCode = postalCode ?? ""
            address.country = country ?? ""
            address.isoCountryCode = countryCode ?? ""
            return address
        }
    }
#endif

#if canImport(MapKit) && canImport(CoreLocation) && canImport(Contacts)
    public import MapKit

    extension Placemark {
        public var mapKit: MKPlacemark {
            MKPlacemark(coordinate: coordinate.coreLocation, postalAddress: postalAddress)
        }
    }
#endif
