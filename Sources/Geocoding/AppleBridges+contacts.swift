// For Apple's platforms only. Our own checks run on Linux, which compiles none of this: keep it as plain as it is.
//
// On Linux "Contacts" is a room of Waypost. MapKit is on each of Apple's platforms and on no other, so it tells which one is meant.

#if canImport(MapKit) && canImport(Contacts)
    public import Contacts

    extension Address {
        /// A neighbourhood becomes another line of the street. Without a state, the county becomes the region; with one, the county
        /// becomes another line of the street too. A blank country is taken from its code.
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
        /// The address of a contact at the coordinate that was found for it. The street is divided into its name and the house number.
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
