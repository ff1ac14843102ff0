// For Apple's platforms only. Our own checks run on Linux, which does not compile this file: keep it simple.
//
// On Linux "Contacts" is a room of Waypost. Only Apple's platforms have MapKit, so it shows that Apple's Contacts is
// meant.

#if canImport(MapKit) && canImport(Contacts)
    public import Contacts

    extension Address {
        /// A neighbourhood becomes a second line of the street. Without a state, the county becomes the region; with a
        /// state, the county becomes another line of the street. If the country is blank, its code is used.
        public init(_ address: CNPostalAddress) {
            let hasState = !address.state.isEmpty
            let lines = [address.street, address.subLocality, hasState ? address.subAdministrativeArea : ""]
            self.init(
                street: lines.filter { !$0.isEmpty }.joined(separator: "\n"), city: address.city,
                region: hasState ? address.state : address.subAdministrativeArea, postcode: address.postalCode,
                country: address.country.isEmpty ? address.isoCountryCode : address.country)
        }
    }

    extension Placemark {
        /// The address of a contact, at the coordinate that was found for it. The street is split into its name and the
        /// house number.
        public init(_ address: CNPostalAddress, at coordinate: Coordinate) {
            let country = address.isoCountryCode.isEmpty ? address.country : address.isoCountryCode
            let parts = AddressParts(address.street, in: Country(country))
            let hasNumber = !parts.houseNumber.isEmpty && parts.streetLine == address.street
            func text(_ text: String) -> String? { text.isEmpty ? nil : text }
            self.init(
                coordinate: coordinate, thoroughfare: text(hasNumber ? parts.street : address.street),
                subThoroughfare: hasNumber ? parts.houseNumber : nil, locality: text(address.city),
                subLocality: text(address.subLocality), administrativeArea: text(address.state),
                subAdministrativeArea: text(address.subAdministrativeArea), postalCode: text(address.postalCode),
                countryCode: text(address.isoCountryCode.uppercased()) ?? Country(address.country)?.code,
                countryName: text(address.country))
        }
    }

    extension CNMutablePostalAddress {
        public convenience init(_ address: Address) {
            self.init()
            street = address.street
            city = address.city
            state = address.region
            postalCode = address.postcode
            country = address.country
            isoCountryCode = Country(address.country)?.code ?? ""
        }

        /// A postal address has no place for ``Placemark/name``.
        public convenience init(_ placemark: Placemark) {
            self.init()
            street = placemark.streetLine ?? ""
            subLocality = placemark.subLocality ?? ""
            city = placemark.locality ?? ""
            subAdministrativeArea = placemark.subAdministrativeArea ?? ""
            state = placemark.administrativeArea ?? ""
            postalCode = placemark.postalCode ?? ""
            country = placemark.countryName ?? ""
            isoCountryCode = placemark.countryCode ?? ""
        }
    }
#endif
