/// The position of one house, as a file of open address data gives it. Blank texts are unknown.
package struct AddressPoint: Hashable, Sendable {
    /// The house number with its letter or extension, as written: `12`, `12a`, `791/39`.
    package var number: String
    package var street: String
    package var city: String
    /// A part of the city, or the municipality around a village.
    package var district: String
    package var region: String
    package var postcode: String
    /// ISO 3166-1 alpha-2, in upper case.
    package var countryCode: String
    package var coordinate: Coordinate

    package init(
        number: String, street: String, city: String = "", district: String = "", region: String = "",
        postcode: String = "", countryCode: String = "", coordinate: Coordinate
    ) {
        (self.number, self.street, self.city, self.district) = (number, street, city, district)
        (self.region, self.postcode, self.countryCode) = (region, postcode, countryCode)
        self.coordinate = coordinate
    }
}
