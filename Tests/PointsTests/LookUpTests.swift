import DatabaseTesting
import Geocoding
import Points
import Postgres
import Testing

/// Addresses that are looked up in a small town, by a worker's role.
@Suite(.database)
struct LookUpTests {
    private static let town =
        ["2", "4", "6", "8", "12", "14", "1", "3", "5", "20-22", "30a", "791/39"].map { point($0, "Hauptstraße") }
        + ["1", "2", "3"].map { point($0, "Seegasse", north: 0.01) }
        // Another part of the postcode, with a street of the same name.
        + ["2", "99"].map { point($0, "Hauptstraße", "Nachbardorf", north: 0.1) }
        // A street that goes through two postcodes, and a second one of its name far away.
        + ["2", "4"].map { point($0, "Ringstraße", "Stadt", "5000", north: 0.2) }
        + ["6", "10"].map { point($0, "Ringstraße", "Stadt", "5001", north: 0.2) }
        + ["77"].map { point($0, "Ringstraße", "Stadt", "5002", north: 0.3) }
        + ["7"].map { point($0, "", "Weiler", "6000", north: 0.4) }
        // A street in two postcodes, and one of its name far away, which has the number that comes next.
        + ["4"].map { point($0, "Gartenstraße", "Markt", "7000", north: 0.5) }
        + ["10"].map { point($0, "Gartenstraße", "Markt", "7001", north: 0.5) }
        + ["8"].map { point($0, "Gartenstraße", "Markt", "7002", north: 0.6) }
        // Names that differ in one letter.
        + ["1"].map { point($0, "Kastanienallee", "Markt", "7000", north: 0.5) }
        + ["1"].map { point($0, "Rosinenallee", "Markt", "7000", north: 0.5) }
        + ["1"].map { point($0, "Rosonenallee", "Markt", "7000", north: 0.5) }

    /// `rooftop 12 Hauptstraße 0.95`: the first place, as a question would grade it.
    private func answer(_ addresses: [Address], among points: [AddressPoint] = town) async throws -> [String] {
        let database = try Database.test
        try await load(points, into: database)
        let workers = try Database.test(as: "waypost_worker")
        let provider = try #require(try await workers.provider())
        let answers = try await provider.geocode(
            addresses.map { QueryLadder.firstRung(for: $0, forms: provider.terms.forms).query })
        await workers.close()
        return zip(addresses, answers).map { address, answer in
            guard case .found(let found) = answer, let best = found.first else { return "none" }
            let confidence = (Confidence(of: best, for: address).value * 100).rounded() / 100
            let house = [best.placemark.subThoroughfare, best.placemark.thoroughfare].compactMap(\.self)
            return "\(best.precision.rawValue) \(house.joined(separator: " ")) \(confidence)"
        }
    }

    private func address(
        _ street: String, _ city: String = "Dorf", _ postcode: String = "1234", in country: String = "AT"
    )
        -> Address
    {
        Address(street: street, city: city, postcode: postcode, country: country)
    }

    @Test func `houses are found in other spellings`() async throws {
        let spellings = [
            address("Hauptstraße 12"), address("Hauptstr. 12"), address("HAUPTSTRASSE 12"), address("12 Hauptstrasse"),
            address("Haupt Straße 12"), address("Hauptstraße 12, 2. Stock"), address("Hauptstr. 12", "", "1234"),
            address("Hauptstr. 12", "Dorf", ""), address("Hauptstr. 12", "Dorf", "A-1234", in: ""),
        ]
        let found = try await answer(spellings)
        #expect(found.allSatisfy { $0.hasPrefix("rooftop 12 Hauptstraße") }, "\(found)")
        #expect(found[0] == "rooftop 12 Hauptstraße 1.0")
    }

    @Test func `an address without a country is searched in each country of the set`() async throws {
        let database = try Database.test
        try await load(Self.town + [point("5", "Seeweg", country: "DE")], into: database)
        let provider = try #require(try await database.provider())
        let answers = try await provider.geocode(
            ["Seeweg 5", "Hauptstraße 12"].map { Query(Address(street: $0, city: "Dorf")) })
        let countries = answers.map { answer -> [String?] in
            guard case .found(let found) = answer else { return [] }
            return found.map(\.placemark.countryCode)
        }
        #expect(countries == [["DE"], ["AT"]])
    }

    @Test func `a missing number is never a rooftop`() async throws {
        let found = try await answer([
            address("Hauptstraße 10"), address("Hauptstraße 12c"), address("Hauptstraße 13"), address("Hauptstraße 32"),
            address("Hauptstraße 99"), address("Hauptstraße"), address("Ringstraße 8", "Stadt", "5001"),
            address("Ringstraße 77", "Stadt", "5000"),
        ])
        #expect(
            found == [
                // Between 8 and 12.
                "interpolated 10 Hauptstraße 1.0",
                "interpolated 12 Hauptstraße 0.9",
                // Nothing is behind 5 on the side of odd numbers.
                "street Hauptstraße 1.0", "street Hauptstraße 1.0",
                // 99 is in a neighbour's street, under the same postcode.
                "street Hauptstraße 1.0", "street Hauptstraße 1.0",
                // Between 6 and 10 of the same postcode; and 77 is in the other street of this name.
                "interpolated 8 Ringstraße 1.0", "street Ringstraße 1.0",
            ])
    }

    @Test func `the neighbour of a missing number is the nearest one that is near enough`() async throws {
        #expect(try await answer([address("Gartenstraße 6", "Markt", "7000")]) == ["interpolated 6 Gartenstraße 1.0"])
    }

    @Test func `a typo of two names is none of them`() async throws {
        let found = try await answer([
            address("Kastenienallee 1", "Markt", "7000"), address("Rosanenallee 1", "Markt", "7000"),
        ])
        #expect(found == ["rooftop 1 Kastanienallee 0.85", "none"])
    }

    @Test func `ends of a range and parts of a double number are on the house`() async throws {
        let found = try await answer([
            address("Hauptstraße 20"), address("Hauptstraße 22"), address("Hauptstraße 39"),
            address("Hauptstraße 30 A"),
            address("Weiler 7", "Weiler", "6000"),
        ])
        #expect(
            found == [
                "rooftop 20-22 Hauptstraße 0.9", "rooftop 20-22 Hauptstraße 0.9", "rooftop 791/39 Hauptstraße 0.9",
                "rooftop 30a Hauptstraße 1.0", "rooftop 7 Weiler 1.0",
            ])
    }

    @Test func `a typo is corrected, and an unknown street is not found`() async throws {
        let found = try await answer([
            address("Hauptsrtaße 12"), address("Hautpstraße 12"), address("Ringstrase 6", "Stadt", "5001"),
            address("Quazorweg 12"), address("Seagasse 1"), address("Hauptstraße 12", "Anderswo", "9999"),
            address(""), address("Hauptstraße 12", "", ""), address("Hauptstraße 12", in: "Germany"),
        ])
        #expect(
            found == [
                "rooftop 12 Hauptstraße 0.85", "rooftop 12 Hauptstraße 0.85", "rooftop 6 Ringstraße 0.85", "none",
                // Few letters distinguish it from the names of other streets.
                "none", "none", "none", "none", "none",
            ])
    }

    @Test func `a postcode that no point of the set has is not evidence against a house`() async throws {
        let spellings = [address("Hauptstraße 12"), address("Hauptsrtaße 12"), address("Hauptstr. 10")]
        let bare = Self.town.map { house in
            var house = house
            house.postcode = ""
            return house
        }
        #expect(
            try await answer(spellings, among: bare) == [
                "rooftop 12 Hauptstraße 1.0", "rooftop 12 Hauptstraße 0.85", "interpolated 10 Hauptstraße 1.0",
            ])
        // One street of the set has a postcode.
        #expect(
            try await answer(spellings, among: bare + [point("1", "Weg", "Stadt")]) == [
                "rooftop 12 Hauptstraße 0.85", "rooftop 12 Hauptstraße 0.72", "interpolated 10 Hauptstraße 0.85",
            ])
    }

    @Test func `a range in the United States is the house of its first number, and a block in Queens is none`()
        async throws
    {
        let points =
            ["101", "123", "201-203", "207", "125A", "300"].map { point($0, "Main St", "Troy", "12180", country: "US") }
            + ["100-01", "100-35", "34-50", "7"].map { point($0, "Queens Blvd", "Queens", "11375", country: "US") }
        func ask(_ street: String, _ city: String = "Troy", _ postcode: String = "12180") -> Address {
            Address(street: street, city: city, postcode: postcode, country: "US")
        }
        let found = try await answer(
            [
                ask("123-125 Main St"), ask("123–127 Main St"), ask("121 - 123 Main St"), ask("201-203 Main St"),
                ask("203 Main St"), ask("123 1/2 Main St"), ask("123A Main St"),
                ask("301-303 Main St"), ask("100-01 Queens Blvd", "Queens", "11375"),
                ask("100 Queens Blvd", "Queens", "11375"), ask("7-9 Queens Blvd", "Queens", "11375"),
            ], among: points)
        #expect(
            found == [
                "rooftop 123 Main St 0.9", "rooftop 123 Main St 0.9", "rooftop 123 Main St 0.9",
                "rooftop 201-203 Main St 1.0", "rooftop 201-203 Main St 0.9", "interpolated 123 Main St 0.9",
                "interpolated 123 Main St 0.9", "street Main St 1.0",
                "rooftop 100-01 Queens Blvd 1.0", "street Queens Blvd 1.0", "street Queens Blvd 1.0",
            ])
    }

    @Test func `a wrong town or postcode is found by the other`() async throws {
        let found = try await answer([address("Seegasse 2", "Nachbardorf"), address("Seegasse 2", "Dorf", "4321")])
        #expect(found == ["rooftop 2 Seegasse 0.8", "rooftop 2 Seegasse 0.8"])
    }

    @Test func `the nearest house of a coordinate is found, if it is near`() async throws {
        let database = try Database.test
        try await load(Self.town, into: database)
        let provider = try #require(try await database.provider())
        let house = point("2", "Seegasse", north: 0.01).coordinate
        let places = [(0.000_01, 0.000_01), (0.0005, 0), (0.002, 0), (30, 30)].compactMap {
            Coordinate(latitude: house.latitude + $0.0, longitude: house.longitude + $0.1)
        }
        let numbers = try await provider.reverseGeocode(places).map { answer -> String in
            guard case .found(let found) = answer else { return "none" }
            return "\(found[0].precision.rawValue) \(found[0].placemark.subThoroughfare ?? "")"
        }
        #expect(numbers == ["rooftop 2", "rooftop 2", "none", "none"])
    }

    /// On this latitude a degree of longitude has 68 % of the length of one of latitude.
    @Test func `the nearest house is the nearest in metres`() async throws {
        let database = try Database.test
        // 27 m in the north, 61 m in the east, 38 m in the west: numbers move a house by 0.000065 degrees.
        let houses = [
            point("0", "Nordweg", north: 0.000_04), point("0", "Ostweg", north: -0.0002, east: 0.000_8),
            point("0", "Westweg", north: -0.0002, east: -0.000_5),
        ]
        try await load(houses, into: database)
        let provider = try #require(try await database.provider())
        func nearest(north: Double, east: Double) async throws -> String? {
            let place = try #require(Coordinate(latitude: 47 + north, longitude: 10 + east))
            guard case .found(let found) = try await provider.reverseGeocode([place])[0] else { return nil }
            return found[0].placemark.thoroughfare
        }
        #expect(try await nearest(north: 0, east: 0) == "Nordweg")
        // 34 m east of the one in the west, 38 m south of the one in the north.
        #expect(try await nearest(north: -0.000_1, east: -0.000_05) == "Westweg")
    }
}
