// For Apple's platforms only. Our own checks run on Linux, which does not compile this file: keep it simple.

#if canImport(MapKit)
    public import MapKit

    extension Placemark {
        /// Returns nil for a map item without a location. The name is that of the item: a shop instead of its street.
        public init?(_ item: MKMapItem) {
            self.init(item.placemark)
            name = item.name ?? name
        }

        /// The place for a map: the position with all names, titled by ``displayName``.
        public var mapItem: MKMapItem {
            let item = MKMapItem(placemark: MKPlacemark(self))
            item.name = displayName
            return item
        }

        /// The names by the keys of `CLPlacemark.addressDictionary`. A postal address would have no place for the name,
        /// nor for the house number separate from its street.
        var addressDictionary: [String: String] {
            [
                "Name": name, "Street": streetLine, "Thoroughfare": thoroughfare, "SubThoroughfare": subThoroughfare,
                "City": locality, "SubLocality": subLocality, "State": administrativeArea,
                "SubAdministrativeArea": subAdministrativeArea, "ZIP": postalCode, "CountryCode": countryCode,
                "Country": countryName,
            ].compactMapValues(\.self)
        }
    }

    extension MKPlacemark {
        public convenience init(_ placemark: Placemark) {
            self.init(
                coordinate: CLLocationCoordinate2D(placemark.coordinate),
                addressDictionary: placemark.addressDictionary)
        }
    }

    @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    extension Address {
        /// Reads the whole address, which MapKit gives as one text.
        public init(_ address: MKAddress) { self.init(line: address.fullAddress) }
    }

    @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    extension Placemark {
        /// Both texts of an address for MapKit; nil if MapKit refuses them.
        public var mapAddress: MKAddress? { MKAddress(fullAddress: addressText(), shortAddress: shortAddress) }
    }
#endif
