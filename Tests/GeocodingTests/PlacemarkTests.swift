import Foundation
import Geocoding
import Testing

struct PlacemarkTextTests {
    @Test func `an address on one line has commas, or spaces in a script that needs none`() {
        let reno = Placemark(
            at: 39.5, -119.8, thoroughfare: "E 1st St", subThoroughfare: "1", locality: "Reno",
            administrativeArea: "Nevada", postalCode: "89501", countryCode: "US")
        #expect(reno.addressText(from: "US") == "1 E 1st St, RENO, NV 89501")
        #expect(reno.addressText() == "1 E 1st St, RENO, NV 89501, UNITED STATES")

        let tokyo = Placemark(
            at: 35.7, 139.7, thoroughfare: "永田町", locality: "千代田区", postalCode: "100-0014", countryCode: "JP")
        #expect(tokyo.addressText(from: "JP") == "100-0014 千代田区永田町")
    }

    @Test func `a short address is street and city, or the available one`() {
        var place = Placemark(at: 60, 25, thoroughfare: "Mannerheimintie", subThoroughfare: "30", countryCode: "FI")
        #expect(place.shortAddress == "Mannerheimintie 30")
        place.locality = "Helsinki"
        #expect(place.shortAddress == "Mannerheimintie 30, Helsinki")
        place.thoroughfare = nil
        place.subThoroughfare = nil
        #expect(place.shortAddress == "Helsinki")
        place.name = "helsinki "
        #expect(place.shortAddress == "helsinki")
        place.name = "Suomenlinna"
        #expect(place.shortAddress == "Suomenlinna, Helsinki")
        place.locality = nil
        #expect(place.shortAddress == "Suomenlinna")
        #expect(Placemark(at: 60, 25, countryCode: "FI").shortAddress == "Finland")
    }

    @Test func `a display name falls back from the small to the large`() {
        var place = Placemark(at: 60, 25)
        #expect(place.displayName == "Unnamed place")
        place.countryCode = "FI"
        #expect(place.displayName == "Finland")
        place.administrativeArea = "Uusimaa"
        #expect(place.displayName == "Uusimaa")
        place.locality = "Helsinki"
        #expect(place.displayName == "Helsinki")
        place.thoroughfare = "Mannerheimintie"
        #expect(place.displayName == "Mannerheimintie")
        place.name = " \n"
        #expect(place.displayName == "Mannerheimintie")
        place.name = " Suomenlinna "
        #expect(place.displayName == "Suomenlinna")
    }

    @Test(arguments: [
        "60.1699, 24.9384", "-33.86 151.21", "−33.86;151.21", "geo:60.2,24.9", "60.17° N, 24.94° E", "N60.17 E24.94",
        "60°10′11″N 24°56′18″E", "(60.17, 24.94)", "lat: 60.17, lon: 24.94", "60°10'N 24°56'E",
    ])
    func `a coordinate is not a name`(name: String) {
        #expect(Placemark(at: 60, 25, name: name).displayName == "Unnamed place")
        #expect(Placemark(at: 60, 25, name: name).problems.contains(.nameIsCoordinate))
    }

    @Test(arguments: [
        "12", "12, 14", "1600", "Route 1.5", "5.10.1944", "3.5 Lounge", "42nd St & 5.5", "E 1st St", "200.5, 300.5",
    ])
    func `a name with numbers is a name`(name: String) {
        #expect(Placemark(at: 60, 25, name: name).displayName == name)
    }
}

struct PlacemarkProblemTests {
    @Test func `a full placemark has no problems`() {
        let place = Placemark(
            at: 60, 25, thoroughfare: "Mannerheimintie", subThoroughfare: "30", locality: "Helsinki", countryCode: "FI",
            countryName: "Suomi")
        #expect(place.problems == [])
    }

    @Test func `each problem is reported`() {
        let zero = Placemark(at: 0, -0.000_001, locality: "Accra", countryCode: "GH")
        #expect(zero.problems == [.nullIsland])
        #expect(Placemark(at: 0, 0.001, locality: "Accra", countryCode: "GH").problems == [])
        #expect(Placemark(at: 60, 25, name: " ").problems == [.unnamed, .noCountry])
        #expect(Placemark(at: 60, 25, name: "60.0, 25.0", countryCode: "FI").problems == [.nameIsCoordinate])
        #expect(Placemark(at: 60, 25, locality: "Helsinki").problems == [.noCountry])
        #expect(Placemark(at: 60, 25, locality: "Helsinki", countryCode: "XX").problems == [.unknownCountryCode])
        #expect(Placemark(at: 60, 25, countryCode: "Finland").problems == [.unknownCountryCode])
        #expect(Placemark(at: 60, 25, countryCode: "FI", countryName: "Schweden").problems == [.countriesDiffer])
        #expect(Placemark(at: 60, 25, subThoroughfare: "30", countryCode: "FI").problems == [.numberWithoutStreet])
    }
}

struct PlacemarkGroupTests {
    @Test func `places are grouped by country in any spelling`() {
        let places = [
            Placemark(at: 1, 1, countryName: "Suomi"), Placemark(at: 2, 2, countryCode: "SE"), Placemark(at: 3, 3),
            Placemark(at: 4, 4, countryCode: "FI"), Placemark(at: 5, 5, countryName: "Atlantis"),
        ]
        let groups = places.grouped(by: .country)
        #expect(groups.map(\.name) == ["Suomi", "Sweden", "Atlantis", nil])
        #expect(groups.map(\.placemarks) == [[places[0], places[3]], [places[1]], [places[4]], [places[2]]])
    }

    @Test func `cities with one name in two regions are two groups`() {
        let places = [
            Placemark(at: 1, 1, locality: "Springfield", administrativeArea: "Illinois", countryCode: "US"),
            Placemark(at: 2, 2, locality: "SPRINGFIELD", administrativeArea: "illinois", countryCode: "US"),
            Placemark(at: 3, 3, locality: "Springfield", administrativeArea: "Ohio", countryCode: "US"),
        ]
        #expect(places.grouped(by: .locality).map(\.placemarks.count) == [2, 1])
        #expect(places.grouped(by: .administrativeArea).map(\.name) == ["Illinois", "Ohio"])
    }

    @Test func `postcodes are grouped without regard to spaces, within a country`() {
        let places = [
            Placemark(at: 1, 1, postalCode: "100 12", countryCode: "SE"),
            Placemark(at: 2, 2, postalCode: "10012", countryCode: "SE"),
            Placemark(at: 3, 3, postalCode: "10012", countryCode: "US"),
        ]
        #expect(places.grouped(by: .postalCode).map(\.placemarks.count) == [2, 1])
    }

    @Test func `grouping by distance links neighbours, in any order`() {
        // 111 metres from one to the next, then a gap.
        let row = [0.000, 0.001, 0.002, 0.010, 0.011].map { Placemark(at: $0, 10, name: "\($0)") }
        for places in [row, row.reversed(), [row[2], row[3], row[0], row[4], row[1]]] {
            let groups = places.grouped(within: 120)
            #expect(Set(groups.map { Set($0.placemarks) }) == [Set(row[...2]), Set(row[3...])])
            #expect(groups[0].placemarks[0] == places[0])
        }
        #expect(row.grouped(within: 100).count == 5)
        #expect([Placemark]().grouped(within: 100).isEmpty)
    }

    @Test func `grouping by distance works across the date line and at the poles`() {
        let places = [
            Placemark(at: 0, 179.9999), Placemark(at: 0, -179.9999), Placemark(at: 89.9999, 0),
            Placemark(at: 89.9999, 180),
        ]
        #expect(places.grouped(within: 30).map(\.placemarks) == [Array(places[..<2]), Array(places[2...])])
    }

    @Test func `the distance of places is that of their coordinates`() {
        let quito = Placemark(at: 0, -78.5)
        let east = Placemark(at: 0, -77.5)
        // One degree of the equator.
        #expect(abs(quito.distance(to: east) - 111_319.4908) < 0.001)
        #expect(quito.isWithin(111_320, of: east))
        #expect(!quito.isWithin(111_319, of: east.coordinate))
    }
}

struct PlacemarkCodableTests {
    private let full = Placemark(
        at: 60.5, 25.25, name: "a", thoroughfare: "b", subThoroughfare: "c", locality: "d", subLocality: "e",
        administrativeArea: "f", subAdministrativeArea: "g", postalCode: "h", countryCode: "FI", countryName: "j")

    @Test func `the JSON has the names of the API`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = """
            {"city":"d","country":"j","country_code":"FI","county":"g","house_number":"c","latitude":60.5,"longitude":25.25,\
            "name":"a","neighbourhood":"e","postcode":"h","region":"f","street":"b"}
            """
        #expect(String(decoding: try encoder.encode(full), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Placemark.self, from: Data(json.utf8)) == full)
    }

    @Test func `stored JSON with Apple's field names is still read`() throws {
        let json = """
            {"administrativeArea":"f","coordinate":{"latitude":60.5,"longitude":25.25},"countryCode":"FI","countryName":"j",\
            "locality":"d","name":"a","postalCode":"h","subAdministrativeArea":"g","subLocality":"e","subThoroughfare":"c",\
            "thoroughfare":"b"}
            """
        #expect(try JSONDecoder().decode(Placemark.self, from: Data(json.utf8)) == full)
    }

    @Test func `an address is five texts in JSON, and missing or null ones are blank`() throws {
        let address = Address(street: "a\nb", city: "c", region: "d", postcode: "e", country: "f")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = #"{"city":"c","country":"f","postcode":"e","region":"d","street":"a\nb"}"#
        #expect(String(decoding: try encoder.encode(address), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Address.self, from: Data(json.utf8)) == address)
        let short = #"{"city":"c","region":null,"label":"home"}"#
        #expect(try JSONDecoder().decode(Address.self, from: Data(short.utf8)) == Address(city: "c"))
    }

    @Test func `unknown fields are left out of the JSON`() throws {
        let json = #"{"latitude":1,"longitude":2}"#
        #expect(String(decoding: try JSONEncoder().encode(Placemark(at: 1, 2)), as: UTF8.self).count == json.count)
        #expect(try JSONDecoder().decode(Placemark.self, from: Data(json.utf8)) == Placemark(at: 1, 2))
    }

    @Test func `a precision is its name in JSON`() throws {
        #expect(
            String(decoding: try JSONEncoder().encode([Precision.rooftop, .city]), as: UTF8.self)
                == #"["rooftop","city"]"#)
    }

    @Test func `a placemark that is not on Earth is refused`() {
        for json in [#"{"latitude":91,"longitude":2}"#, #"{"coordinate":{"latitude":91,"longitude":2}}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Placemark.self, from: Data(json.utf8)) }
        }
    }
}

extension Placemark {
    /// A place at a latitude and a longitude that are on Earth.
    fileprivate init(
        at latitude: Double, _ longitude: Double, name: String? = nil, thoroughfare: String? = nil,
        subThoroughfare: String? = nil, locality: String? = nil, subLocality: String? = nil,
        administrativeArea: String? = nil, subAdministrativeArea: String? = nil, postalCode: String? = nil,
        countryCode: String? = nil, countryName: String? = nil
    ) {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { preconditionFailure() }
        self.init(
            coordinate: coordinate, name: name, thoroughfare: thoroughfare, subThoroughfare: subThoroughfare,
            locality: locality, subLocality: subLocality, administrativeArea: administrativeArea,
            subAdministrativeArea: subAdministrativeArea, postalCode: postalCode, countryCode: countryCode,
            countryName: countryName)
    }
}
