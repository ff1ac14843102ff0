import DatabaseTesting
import Formats
import Geocoding
import MapTesting
import Postgres
import Questions
import Testing

@testable import Points

/// Two towns with a common border, Nordau and Südau.
@Suite(.database, .enabled("osmium is installed") { try await Osmium.isInstalled() })
struct RegionTests {
    private static let borders = """
        n1 x9.5 y47.0
        n2 x9.6 y47.0
        n3 x9.6 y47.1
        n4 x9.6 y47.2
        n5 x9.5 y47.2
        n6 x9.5 y47.1
        w1 Nn6,n3
        w2 Nn3,n4,n5,n6
        w3 Nn6,n1,n2,n3
        r1 Ttype=boundary,boundary=administrative,admin_level=8,name=Nordau Mw1@outer,w2@outer
        r2 Ttype=boundary,boundary=administrative,admin_level=8,name=Südau,name:fr=Sudville Mw1@outer,w3@outer
        r3 Ttype=boundary,boundary=administrative,admin_level=2,name=Land,ISO3166-1:alpha2=LI Mw2@outer,w3@outer
        """
    private static let streets = """
        n10 x9.550 y47.15
        n11 x9.560 y47.15
        n12 x9.550 y47.05
        n13 x9.560 y47.05
        n14 x9.520 y47.16
        n15 x9.530 y47.16
        w10 Thighway=residential,name=Hauptstrasse,name:fr=Grande%20%Rue Nn10,n11
        w11 Thighway=residential,name=Hauptstrasse Nn12,n13
        w12 Thighway=residential,name=Seeweg Nn14,n15
        """
    private static let houses = """
        n20 Taddr:housenumber=1,addr:street=Hauptstrasse,addr:postcode=9001 x9.552 y47.1502
        n21 Taddr:housenumber=1,addr:street=Hauptstrasse,addr:city=Postdorf x9.552 y47.0502
        n22 Taddr:housenumber=7 x9.522 y47.1602
        n23 Taddr:housenumber=3,addr:place=Weiler x9.58 y47.18
        n24 Taddr:housenumber=2,addr:street=Alte%20%Gasse x9.525 y47.1602
        n25 Taddr:housenumber=5,addr:street=Hauptstr.,entrance=main x9.5541 y47.1502
        n26 Taddr:housenumber=5,addr:street=Hauptstrasse x9.554 y47.1502
        n27 Taddr:housenumber=5,addr:street=Hauptstrasse x9.558 y47.1502
        n28 Taddr:housenumber=9,addr:street=Hauptstrasse x9.556 y47.1502
        n29 Taddr:housenumber=8,addr:place=Grenze x9.58 y47.0999
        n30 Taddr:housenumber=1,addr:place=Ausland x9.6005 y47.15
        n40 Tplace=village,name=Dörfli,alt_name=Weiler%20%Alt x9.551 y47.151
        """

    private func load(_ parts: String..., change: (inout RegionLoad) -> Void = { _ in }) async throws
        -> PointLoad.Outcome
    {
        let map = try await MadeMap(parts.joined(separator: "\n"))
        var load = RegionLoad("land")
        change(&load)
        return try await load.run(load.join(map.objects), by: me, on: Database.test)
    }

    /// The answer as `precision number street, part, town postcode country`, for each candidate.
    private func answers(_ ask: (PointProvider) async throws -> [Answer]) async throws -> [[String]] {
        let provider = try #require(try await Database.test.provider("land"))
        return try await ask(provider).map { answer in
            guard case .found(let found) = answer else { return [] }
            return found.map { candidate in
                let place = candidate.placemark
                let street = [place.subThoroughfare, place.thoroughfare].compactMap(\.self).joined(separator: " ")
                let town = [place.locality, place.postalCode, place.countryCode].compactMap(\.self).joined(
                    separator: " ")
                return "\(candidate.precision): "
                    + [street, place.subLocality ?? "", town].filter { !$0.isEmpty }.joined(separator: ", ")
            }
        }
    }

    private func forward(_ addresses: [(street: String, city: String)]) async throws -> [[String]] {
        try await answers { provider in
            try await provider.geocode(
                addresses.map { Query(Address(street: $0.street, city: $0.city, country: "LI")) })
        }
    }

    private func reverse(_ places: [(latitude: Double, longitude: Double)]) async throws -> [[String]] {
        try await answers { provider in
            try await provider.reverseGeocode(
                places.compactMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) })
        }
    }

    @Test func `a house has its municipality, and is found by the town and the part that it names`() async throws {
        let outcome = try await load(Self.borders, Self.streets, Self.houses)
        #expect((outcome.points, outcome.areas, outcome.countries) == (11, 3, ["LI"]))
        let found = try await forward([
            ("Hauptstrasse 1", "Nordau"), ("Hauptstr. 1", "Südau"), ("Hauptstrasse 1", "Postdorf"),
            ("Grande Rue 1", "Nordau"), ("Weiler 3", "Nordau"), ("Hauptstrasse 1", "Seestadt"),
        ])
        let north = "rooftop: 1 Hauptstrasse, Dörfli, Nordau 9001 LI"
        let south = "rooftop: 1 Hauptstrasse, Postdorf, Südau LI"
        #expect(
            found == [
                [north], [south], [south], ["rooftop: 1 Grande Rue, Dörfli, Nordau 9001 LI"],
                ["rooftop: 3 Weiler, Nordau LI"], [],
            ])
    }

    @Test func `a house without a street of the map is near one, and is called by both`() async throws {
        _ = try await load(Self.borders, Self.streets, Self.houses)
        let found = try await forward([
            ("Seeweg 7", "Nordau"), ("Seeweg 2", "Nordau"), ("Alte Gasse 2", "Nordau"), ("Seeweg", "Nordau"),
        ])
        #expect(
            found == [
                ["interpolated: 7 Seeweg, Dörfli, Nordau LI"], ["rooftop: 2 Seeweg, Dörfli, Nordau LI"],
                ["rooftop: 2 Alte Gasse, Dörfli, Nordau LI"], ["street: Seeweg, Dörfli, Nordau LI"],
            ])
    }

    @Test func `objects of a number within 60 m are one house, and the building comes first`() async throws {
        _ = try await load(Self.borders, Self.streets, Self.houses)
        let house = "rooftop: 5 Hauptstrasse, Dörfli, Nordau 9001 LI"
        #expect(try await forward([("Hauptstrasse 5", "Nordau")]) == [[house, house]])
        let provider = try #require(try await Database.test.provider("land"))
        let query = Query(Address(street: "Hauptstrasse 5", city: "Nordau", country: "LI"))
        guard case .found(let found) = try await provider.geocode([query])[0] else { return }
        // Not that of the entrance.
        #expect(found.map(\.placemark.coordinate.longitude) == [9.554, 9.558])
        // A coordinate finds each object.
        #expect(try await reverse([(47.1502, 9.5541), (47.1502, 9.558)]) == [[house], [house]])
    }

    @Test func `a street's postcode is that of most of its houses`() async throws {
        _ = try await load(
            Self.borders, Self.streets, Self.houses,
            """
            n50 Taddr:housenumber=51,addr:street=Hauptstrasse,addr:postcode=9002 x9.5591 y47.1502
            n51 Taddr:housenumber=53,addr:street=Hauptstrasse,addr:postcode=9002 x9.5592 y47.1502
            """)
        #expect(
            try await forward([("Hauptstrasse 9", "Nordau"), ("Hauptstrasse 1", "Nordau")]) == [
                ["rooftop: 9 Hauptstrasse, Dörfli, Nordau 9002 LI"],
                ["rooftop: 1 Hauptstrasse, Dörfli, Nordau 9001 LI"],
            ])
    }

    @Test func `an address without a street is a town or a village, by any of its names`() async throws {
        _ = try await load(Self.borders, Self.houses)
        #expect(
            try await forward([("", "Dörfli"), ("", "Weiler Alt"), ("", "Nordau"), ("", "Sudville"), ("", "Postdorf")])
                == [
                    ["city: Dörfli, Nordau LI"], ["city: Dörfli, Nordau LI"], ["city: Nordau LI"], ["city: Südau LI"],
                    [],
                ])
    }

    @Test func `a coordinate gets its house, else its street, else its settlement, in its own town`() async throws {
        _ = try await load(Self.borders, Self.streets, Self.houses)
        let found = try await reverse([
            (47.1503, 9.5521), (47.1612, 9.5290), (47.1530, 9.5510), (47.19, 9.51),
            // The house is 20 m away, and across the border.
            (47.1001, 9.58), (47.0998, 9.58),
        ])
        #expect(
            found == [
                ["rooftop: 1 Hauptstrasse, Dörfli, Nordau 9001 LI"], ["street: Seeweg, Dörfli, Nordau LI"],
                ["city: Dörfli, Nordau LI"], ["city: Nordau LI"], ["city: Nordau LI"],
                ["rooftop: 8 Grenze, Südau LI"],
            ])
    }

    @Test func `outside its towns a region knows only houses within 100 m`() async throws {
        let abroad = """
            n60 x9.602 y47.15
            n61 x9.610 y47.15
            n62 Tplace=town,name=Fern x9.603 y47.151
            w60 Thighway=residential,name=Fernstrasse Nn60,n61
            """
        _ = try await load(Self.borders, Self.streets, Self.houses, abroad)
        #expect(
            try await reverse([(47.15, 9.6006), (47.15, 9.603), (47.25, 9.55)]) == [
                ["rooftop: 1 Ausland, Fern LI"], [], [],
            ])
    }

    @Test func `inside a country whose towns have no border, places reach as far as their kind`() async throws {
        _ = try await load(Self.borders.replacing("admin_level=8", with: "admin_level=9"), Self.houses)
        #expect(try await reverse([(47.1530, 9.5510), (47.19, 9.51)]) == [["city: Dörfli LI"], []])
    }

    @Test func `without a complete border, places reach as far as their kind`() async throws {
        _ = try await load(Self.streets, Self.houses) { $0.country = Country("LI") }
        #expect(
            try await reverse([(47.1530, 9.5510), (47.1612, 9.5290), (47.18, 9.551)]) == [
                ["city: Dörfli LI"], ["street: Seeweg, Dörfli LI"], [],
            ])
        #expect(try await forward([("Hauptstrasse 1", "Dörfli")]) == [["rooftop: 1 Hauptstrasse, Dörfli 9001 LI"]])
    }

    @Test func `a line without commas is divided by the streets and towns of the region, or not answered`() async throws
    {
        _ = try await load(Self.borders, Self.streets, Self.houses)
        let lines = [
            "Nordau Hauptstrasse 1", "1 Hauptstrasse Nordau", "Hauptstr. 1 9001 Nordau", "9001 Nordau Grande Rue 1",
            "Südau 1 Hauptstrasse", "Hauptstrasse 1 Firma Nordau", "Hauptstrasse 1", "Nordau",
        ]
        let found = try await answers { provider in
            try await provider.geocode(lines.map { Query(Address(street: $0, country: "LI")) })
        }
        let north = "rooftop: 1 Hauptstrasse, Dörfli, Nordau 9001 LI"
        let french = "rooftop: 1 Grande Rue, Dörfli, Nordau 9001 LI"
        let south = "rooftop: 1 Hauptstrasse, Postdorf, Südau LI"
        #expect(found == [[north], [north], [north], [french], [south], [], [], []])
    }

    @Test func `points come before a region in the chains, whichever is loaded first`() async throws {
        let database = try Database.test
        try await PointsTests.load([point("1", "Dorfstraße")], as: "first", into: database)
        _ = try await load(Self.borders, Self.streets)
        try await PointsTests.load([point("1", "Dorfstraße")], as: "second", into: database)
        for (chain, links) in [
            ("default", ["gazetteer", "first", "second", "land"]),
            ("reverse", ["first", "second", "land", "gazetteer"]),
        ] {
            let plan = try await database.run { try ChainStore().current(chain, on: $0)?.plan }
            #expect(plan?.links.map(\.lane) == links)
        }
    }

    @Test func `damaged cells end a call with their name, and no process`() async throws {
        _ = try await load(Self.borders, Self.streets, Self.houses)
        for damage in ["edge = '\\xffffffffffffffffffff'", "depth = 99", "inside = '{7, -5}'", "cell = cell + 12345"] {
            try await Database.test.run { try $0.run(script: "UPDATE point_cells SET \(damage)") }
            _ = try? await reverse([(47.15, 9.55), (47.19, 9.51)])
        }
        try await Database.test.run { try $0.run(script: "UPDATE point_cells SET depth = 0, cell = 0, edge = '\\xff'") }
        await #expect(throws: ProviderError.unavailable(reason: AreaCell.Damage().description)) {
            try await reverse([(47.15, 9.55)])
        }
    }

    @Test func `a new version replaces areas and places, and a dropped one leaves no table`() async throws {
        let database = try Database.test
        _ = try await load(Self.borders, Self.streets, Self.houses)
        _ = try await load(Self.borders.replacing("Nordau", with: "Neuau"), Self.streets) { $0.withoutHouses = true }
        #expect(try await reverse([(47.19, 9.51)]) == [["city: Neuau LI"]])
        #expect(try await forward([("Hauptstrasse", "Neuau")]) == [["street: Hauptstrasse, Neuau LI"]])
        let tables: SQL = "SELECT count(*) AS number FROM pg_class WHERE relname ~ '^point_.*_\\d+$' AND relkind = 'r'"
        #expect(try await database.query(tables)[0].read("number") == 4)
        _ = try await PointSetStore().drop("land", by: me, on: database)
        #expect(try await database.query(tables)[0].read("number") == 0)
        #expect(try await reverse([(47.19, 9.51)]) == [[]])
    }
}
