import Foundation
import Geocoding
import Testing

struct PlacemarkTests {
    private let office: Placemark
    private let bare: Placemark

    init() throws {
        let coordinate = try #require(Coordinate(latitude: 60.1699, longitude: 24.9384))
        bare = Placemark(coordinate: coordinate)
        office = Placemark(
            coordinate: coordinate, name: "Head office", thoroughfare: "Mannerheimintie", subThoroughfare: "5",
            locality: "Helsinki", subLocality: "Kluuvi", administrativeArea: "Uusimaa",
            subAdministrativeArea: "Helsinki sub-region", postalCode: "00100", countryCode: "FI", countryName: "Suomi")
    }

    private func changed(_ change: (inout Placemark) -> Void) -> Placemark {
        var place = office
        change(&place)
        return place
    }

    @Test func `a placemark is JSON under Apple's names, without what it doesn't know`() throws {
        let json = try JSONEncoder().encode(office)
        #expect(try JSONDecoder().decode(Placemark.self, from: json) == office)
        let keys = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any]).keys.sorted()
        #expect(
            keys == [
                "administrativeArea", "coordinate", "countryCode", "countryName", "locality", "name", "postalCode",
                "subAdministrativeArea", "subLocality", "subThoroughfare", "thoroughfare",
            ])
        let short = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(bare)) as? [String: Any])
        #expect(Array(short.keys) == ["coordinate"])
    }

    @Test func `it has the accessors of a postal address`() {
        #expect(office.street == "Mannerheimintie 5")
        #expect(office.city == "Helsinki")
        #expect(office.state == "Uusimaa")
        #expect(office.country == "Suomi")
        #expect(changed { $0.countryName = " " }.country == "Finland")
        #expect(bare.street == nil && bare.city == nil && bare.state == nil && bare.country == nil)
        #expect(
            office.address
                == Address(
                    street: "Mannerheimintie 5", city: "Helsinki", region: "Uusimaa", postcode: "00100", country: "FI"))
        #expect(bare.address.isEmpty)
    }

    @Test(arguments: [
        ("US", "301 Hamilton Ave"), ("FI", "Hamilton Ave 301"), ("ES", "Hamilton Ave, 301"), ("JP", "Hamilton Ave 301"),
    ])
    func `the house number stands where the country puts it`(code: String, street: String) {
        let place = changed {
            $0.thoroughfare = "Hamilton Ave"
            $0.subThoroughfare = "301"
            $0.countryCode = code
        }
        #expect(place.street == street)
    }

    @Test func `an address is shown in lines or in one`() {
        #expect(office.formattedAddress(style: .lines) == "Mannerheimintie 5\n00100 Helsinki\nSuomi")
        #expect(office.formattedAddress(style: .oneLine) == "Mannerheimintie 5, 00100 Helsinki, Suomi")
        #expect(bare.formattedAddress(style: .lines) == "")
    }

    @Test func `a short address is street and town, or what there is`() {
        #expect(office.shortAddress == "Mannerheimintie 5, Helsinki")
        #expect(
            changed {
                $0.thoroughfare = nil; $0.subThoroughfare = nil
            }.shortAddress == "Helsinki")
        #expect(changed { $0.locality = nil }.shortAddress == "Mannerheimintie 5, Kluuvi")
        #expect(Placemark(coordinate: bare.coordinate, postalCode: "00100").shortAddress == "00100")
        #expect(Placemark(coordinate: bare.coordinate, countryCode: "FI").shortAddress == "Finland")
    }

    @Test func `a display name is never empty, and never a coordinate`() {
        #expect(office.displayName == "Head office")
        #expect(bare.displayName == "Unnamed place")
        for name in ["", " ", "60.1699, 24.9384", "60.1699° N, 24.9384° E", "12"] {
            #expect(changed { $0.name = name }.displayName == "Mannerheimintie 5, Helsinki")
        }
        #expect(changed { $0.name = "Studio 5.1, 3 East" }.displayName == "Studio 5.1, 3 East")
    }

    @Test func `what is wrong with a placemark has a name`() throws {
        #expect(office.isValid && office.problems == [])
        #expect(bare.isValid)
        let zero = try #require(Coordinate(latitude: 0, longitude: 0))
        #expect(changed { $0.coordinate = zero }.problems == [.nullIsland])
        let greenwich = try #require(Coordinate(latitude: 51.5, longitude: 0))
        #expect(changed { $0.coordinate = greenwich }.isValid)
        for code in ["fi", "FIN", "XX", "F", "12"] {
            #expect(changed { $0.countryCode = code }.problems == [.countryCode])
        }
        #expect(changed { $0.countryName = "Sverige" }.problems == [.otherCountry])
        #expect(changed { $0.thoroughfare = nil }.problems == [.noStreet])
        #expect(changed { $0.locality = " " }.problems == [.blankField])
        #expect(changed { $0.name = "60.17, 24.94" }.problems == [.coordinateAsName])
        #expect(!changed { $0.locality = "" }.isValid)
    }

    @Test func `places are grouped by level, whatever their spelling`() {
        let places = [
            changed {
                $0.locality = "Springfield"; $0.administrativeArea = "Illinois"; $0.countryCode = "US"
            },
            changed {
                $0.locality = "springfield"; $0.administrativeArea = "ILLINOIS"; $0.countryCode = "US"
            },
            changed {
                $0.locality = "Springfield"; $0.administrativeArea = "Missouri"; $0.countryCode = "US"
            },
            office,
            changed {
                $0.countryName = "Finland"; $0.postalCode = "FI-00100"
            },
            bare,
        ]
        #expect(places.grouped(by: .country).map(\.placemarks.count) == [3, 2, 1])
        #expect(places.grouped(by: .administrativeArea).map(\.placemarks.count) == [2, 1, 2, 1])
        #expect(places.grouped(by: .locality).map(\.name) == ["Springfield", "Springfield", "Helsinki", ""])
        #expect(places.grouped(by: .postalCode).map(\.placemarks.count) == [3, 2, 1])
        #expect([Placemark]().grouped(by: .country).isEmpty)
    }

    @Test func `neighbours are one group, and a chain of them is not`() throws {
        let chain = try [0, 0.0005, 0.001, 0.0015].map { longitude in
            Placemark(coordinate: try #require(Coordinate(latitude: 10, longitude: longitude)))
        }
        // Each is about 55 metres from the next.
        #expect(chain.grouped(within: 60).map(\.placemarks.count) == [2, 2])
        #expect(chain.grouped(within: 1_000).map(\.placemarks.count) == [4])
        #expect(chain.grouped(within: 0).count == 4)
    }
}
