import CWords
import Testing

@testable import Geocoding

struct PostalFormatTests {
    @Test(arguments: PostalExample.all)
    func `a building's address has its country's format`(example: PostalExample) {
        let lines = PostalFormat(of: example.placemark).lines(of: example.placemark, from: example.country.code)
        #expect(lines == example.lines)
    }

    @Test func `each of the sixty most populous countries has an example`() {
        let populous = """
            IN CN US ID PK NG BR BD RU MX JP ET PH EG CD VN IR TR DE TH GB TZ FR ZA IT KE MM CO KR UG SD ES DZ AR IQ AF PL CA
            MA SA UA AO UZ YE PE MY GH MZ NP MG CI VE CM NE AU KP SY ML BF LK TW MW ZM KZ CL RO TD
            """
        let examples = Set(PostalExample.all.map(\.country.code))
        #expect(populous.split(whereSeparator: \.isWhitespace).allSatisfy { examples.contains(String($0)) })
        #expect(PostalExample.all.count > 100)
    }

    @Test func `mail abroad ends with the country in English capitals`() {
        let address = Address(street: "Mannerheimintie 30", city: "Helsinki", postcode: "00100", country: "Suomi")
        let home = ["Mannerheimintie 30", "00100 HELSINKI"]
        #expect(PostalFormat(of: address).lines(of: address) == home + ["FINLAND"])
        #expect(PostalFormat(of: address).lines(of: address, from: "SE") == home + ["FINLAND"])
        #expect(PostalFormat(of: address).lines(of: address, from: "FI") == home)
    }

    @Test func `an unknown country is written as it is, in capitals`() {
        let address = Address(
            street: "High Street 1", city: "Poseidonis", region: "West", postcode: "12", country: "Atlantis")
        let lines = PostalFormat(of: address).lines(of: address, from: "US")
        #expect(lines == ["High Street 1", "12 Poseidonis", "West", "ATLANTIS"])
        #expect(PostalFormat(countryCode: nil).lines(of: Address(city: "Poseidonis")) == ["Poseidonis"])
    }

    @Test func `a street of several lines keeps its lines`() {
        let us = Address(street: "Apple Park\r\n\n 1  Apple Park Way, \nSuite 4", city: "Cupertino", region: "CA")
        let lines = PostalFormat(countryCode: "US").lines(of: us, from: "US")
        #expect(lines == ["Apple Park", "1 Apple Park Way", "Suite 4", "CUPERTINO, CA"])

        let hungary = Address(street: "A épület\nFő utca 1", city: "Pécs", postcode: "7621")
        #expect(
            PostalFormat(countryCode: "HU").lines(of: hungary, from: "HU") == ["PÉCS", "A épület", "Fő utca 1", "7621"])
    }

    @Test func `a part that a format lacks has a line of its own`() {
        let address = Address(street: "Hauptstr. 1", city: "Fürth", region: "Bayern", postcode: "90762")
        #expect(
            PostalFormat(countryCode: "DE").lines(of: address, from: "DE") == ["Hauptstr. 1", "90762 Fürth", "Bayern"])
        #expect(
            PostalFormat(countryCode: "QA").lines(of: Address(city: "Doha", postcode: "12")) == ["Doha", "12", "QATAR"])
    }

    @Test func `a written county is printed before the postcode; England is not`() {
        func lines(_ region: String) -> [String] {
            PostalFormat(countryCode: "GB").lines(
                of: Address(street: "1 High St", city: "Guildford", region: region, postcode: "GU13AJ"), from: "GB")
        }
        #expect(lines("Surrey") == ["1 High St", "GUILDFORD", "Surrey", "GU1 3AJ"])
        #expect(lines("England") == ["1 High St", "GUILDFORD", "GU1 3AJ"])
    }

    @Test func `an Italian province comes from the region, the county or the town`() throws {
        var place = try #require(PostalExample.all.first { $0.placemark.locality == "Corsico" }).placemark
        #expect(place.addressLines(from: "IT").last == "20094 CORSICO")
        place.subAdministrativeArea = "Milano"
        #expect(place.addressLines(from: "IT").last == "20094 CORSICO MI")
        (place.subAdministrativeArea, place.locality, place.postalCode) = (nil, "Mailand", "20121")
        #expect(place.addressLines(from: "IT").last == "20121 MAILAND MI")
        (place.administrativeArea, place.locality, place.postalCode) = ("Lazio", "Rome", "00187")
        #expect(place.addressLines(from: "IT").last == "00187 ROME RM")
    }

    @Test func `a letter to Puerto Rico has its code like a state's`() {
        func last(_ address: Address) -> String? {
            PostalFormat(of: address).lines(of: address, from: address.country).last
        }
        #expect(
            last(Address(city: "San Juan", region: "Puerto Rico", postcode: "00901", country: "US"))
                == "SAN JUAN, PR 00901")
        #expect(last(Address(city: "San Juan", postcode: "00901", country: "PR")) == "SAN JUAN, PR 00901")
        #expect(
            last(Address(city: "San Juan", region: "PR", postcode: "00901", country: "Puerto Rico"))
                == "SAN JUAN, PR 00901")
        #expect(last(Address(country: "PR")) == nil)
    }

    @Test(arguments: [
        ("CZ", "CZ-110 00", "110 00"), ("GB", "W1A 1HQ", "W1A 1HQ"), ("GB", "ec1a1bb", "EC1A 1BB"),
        ("GB", "EC1A", "EC1A"),
        ("NL", "1015", "1015"), ("NL", "NL-1015CN", "1015 CN"), ("PL", "00950", "00-950"),
        ("SE", "SE-111 22", "111 22"),
        ("US", "94303", "94303"), ("US", "2139", "02139"), ("US", "943", "00943"), ("US", "94", "94"),
        ("CA", "K1A", "K1A"), ("JP", "〒100-0001", "100-0001"),
        ("JP", "１０００００１", "１０００００１"), ("DE", "O-1080", "O-1080"), ("BR", "01310100", "01310-100"),
        ("PT", "1000", "1000"), ("LV", "LV1010", "LV-1010"), ("GI", "gx111aa", "GX11 1AA"), ("KR", "04524", "04524"),
    ])
    func `a postcode gets its space or hyphen, and one of another shape stays`(
        country: String, written: String, printed: String
    ) {
        #expect(PostalPostcode.printed(written, in: Country(country)) == printed)
    }

    @Test func `a place with its own name has it above the street`() throws {
        var place = try #require(PostalExample.all.first { $0.country.code == "FR" }).placemark
        place.name = "Palais de l’Élysée"
        #expect(place.addressLines(from: "FR").first == "Palais de l’Élysée")
        for name in [
            "55 rue du faubourg Saint Honoré", "Rue du Faubourg Saint-Honoré", "PARIS", "France", "48.87, 2.31",
        ] {
            place.name = name
            #expect(place.addressLines(from: "FR").count == 2, "\(name)")
        }
    }

    @Test func `a comma goes with the part after or before it`() {
        let format = PostalFormat(countryCode: "US")
        func line(_ city: String, _ region: String, _ postcode: String) -> [String] {
            format.lines(of: Address(city: city, region: region, postcode: postcode), from: "US")
        }
        #expect(line("Palo Alto", "", "94303") == ["PALO ALTO 94303"])
        #expect(line("", "California", "94303") == ["CA 94303"])
        #expect(line("Palo Alto,", " ca ", "") == ["PALO ALTO, CA"])
        #expect(line(" ", ",", "-") == [])

        let turkey = PostalFormat(countryCode: "TR").lines(of: Address(region: "Ankara", postcode: "06420"), from: "TR")
        #expect(turkey == ["06420 Ankara"])
    }

    @Test func `the table has each country once, and every country has a format`() {
        let codes = words_postal_formats().rows.map { String($0[0]) }
        #expect(codes == Set(codes).sorted())
        #expect(codes.allSatisfy { Country($0)?.code == $0 })
        for country in Country.all {
            #expect(PostalFormat(countryCode: country.code).country == country)
        }
    }
}

/// All combinations of blank parts, in every country.
struct PostalFormatPropertyTests {
    @Test(arguments: Country.all.map(\.code) + ["none"])
    func `every given part appears, without stray punctuation`(code: String) {
        let fields: [WritableKeyPath<Address, String>] = [\.street, \.city, \.region, \.postcode]
        for given in 0..<32 {
            var address = Address()
            for (bit, field) in fields.enumerated() {
                address[keyPath: field] = given & 1 << bit != 0 ? "  Part\(bit), \t" : " , "
            }
            if given & 16 != 0 { address.country = "Atlantis" }
            let lines = PostalFormat(countryCode: code).lines(of: address, from: code)
            let text = lines.joined(separator: "\n").lowercased()
            for bit in 0..<4 { #expect(text.contains("part\(bit)") == (given & 1 << bit != 0)) }
            #expect(text.contains("atlantis") == (given & 16 != 0))
            expectClean(lines)
        }
    }

    @Test(arguments: Country.all.map(\.code))
    func `a placemark's address has no stray punctuation`(code: String) throws {
        let parts: [WritableKeyPath<Placemark, String?>] = [
            \.name, \.thoroughfare, \.subThoroughfare, \.locality, \.subLocality, \.administrativeArea, \.postalCode,
        ]
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 1))
        for letters in ["Part", "部"] {
            for given in 0..<128 {
                var place = Placemark(coordinate: coordinate)
                for (bit, part) in parts.enumerated() where given & 1 << bit != 0 {
                    place[keyPath: part] = "\(letters)\(bit)"
                }
                let lines = PostalFormat(countryCode: code).lines(of: place, from: code)
                let text = lines.joined(separator: "\n").lowercased()
                // Without a city, no other part may be left out. In Australia the suburb replaces the city. In the
                // territories of the United States, the territory's own code replaces the state's.
                var expected = given & 8 == 0 ? [0, 1, 2, 4, 5, 6] : [0, 1, 2, 3, 6]
                if code == "AU", given & 16 != 0 { expected.removeAll { $0 == 3 } }
                if PostalRegion.territories.contains(code) { expected.removeAll { $0 == 5 } }
                for bit in expected {
                    #expect(text.contains("\(letters)\(bit)".lowercased()) == (given & 1 << bit != 0))
                }
                expectClean(lines)
            }
        }
    }

    private func expectClean(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let text = lines.joined(separator: "\n")
        let marks: Set<Character> = [",", "-", "/", " ", ";", "(", ")"]
        let stray = lines.filter { line in
            line.isEmpty || line.first.map(marks.contains) == true || line.last.map(marks.contains) == true
        }
        #expect(stray.isEmpty, sourceLocation: sourceLocation)
        for pair in ["  ", ",,", ", ,", " ,", "- -", "--", ",-", ", -", "- ,"] {
            #expect(!text.contains(pair), "\(pair)", sourceLocation: sourceLocation)
        }
    }
}
