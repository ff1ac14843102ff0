import Testing

@testable import Geocoding

/// Printing and parsing agree on the order of the house number in each country.
struct HouseNumberOrderTests {
    @Test(arguments: Country.all)
    func `a house number is first looked for where its country prints it`(country: Country) throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 1))
        let place = Placemark(
            coordinate: coordinate, thoroughfare: "Oak", subThoroughfare: "12", countryCode: country.code)
        let isPrintedFirst = try #require(place.streetLine).hasPrefix("12")
        let parts = AddressParts("12 Oak 34", in: country)
        #expect(parts.isNumberFirst == isPrintedFirst)
        #expect(parts.houseNumber == (isPrintedFirst ? "12" : "34"))
    }

    @Test(arguments: Country.all)
    func `four digits before a name are a postcode, unless the country numbers houses so`(country: Country) throws {
        let lines = PostalFormat(countryCode: country.code)
            .lines(of: Address(city: "Oak", postcode: "1234"), from: country.code).joined(separator: " ")
        let isPostcodeLast = lines.uppercased().hasPrefix("OAK")
        let place = Placemark(
            coordinate: try #require(Coordinate(latitude: 1, longitude: 1)), thoroughfare: "Oak", subThoroughfare: "1",
            countryCode: country.code)
        let isHouse = isPostcodeLast && place.streetLine?.hasPrefix("1") == true
        let read = Address(line: "Beech House, 1234 Oak, \(country.name)")
        #expect(read.postcode == (isHouse ? "" : "1234"), "\(country.code)")
    }

    @Test func `in Cyprus and Macao the number comes after the street`() {
        #expect(AddressParts("28 Oktovriou 363", in: Country("CY")).houseNumber == "363")
        #expect(AddressParts("25 Abril 7", in: Country("MO")).houseNumber == "7")
    }
}
