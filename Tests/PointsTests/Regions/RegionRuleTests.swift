import Formats
import MapTesting
import Testing

@testable import Points

@Suite(.enabled("osmium is installed") { try await Osmium.isInstalled() })
struct RegionRuleTests {
    @Test func `a house is a node, an entrance, or the middle of a building, and 5;7 is two houses`() async throws {
        let map = try await MadeMap(
            """
            n1 Taddr:housenumber=5;%20%7,addr:street=Dorf%20%Weg,addr:city=Ely,addr:postcode=9490 x1 y2
            n2 Taddr:housenumber=9,addr:place=Au,entrance=yes,addr:suburb=Ost x3 y4
            n3 x0 y0
            n4 x0 y1
            n5 x1 y1
            n6 x1 y0
            n7 Taddr:housename=Haus%20%Rose,addr:street=Weg x1 y1
            w1 Tbuilding=yes,addr:housenumber=1,addr:street=Weg Nn3,n4,n5,n6,n3
            w2 Tbuilding=yes,addr:housenumber=2 Nn3,n4,n5,n6,n3
            w3 Tbuilding=yes,addr:housenumber=3 Nn99,n98
            w4 T Nn4,n5,n6
            r1 Ttype=multipolygon,building=yes,addr:housenumber=8,addr:street=Weg Mw3@inner,w4@outer
            """)
        #expect(
            map.houses == [
                "building 1 Weg|||| 5000000,5000000", "building 2 |||| 5000000,5000000",
                "building 8 Weg|||| 10000000,5000000",
                "entrance 9 |Au||Ost| 40000000,30000000", "node 5 Dorf Weg||Ely||9490 20000000,10000000",
                "node 7 Dorf Weg||Ely||9490 20000000,10000000",
            ])
        let counts = map.objects.counts
        #expect(counts.housesWithoutNumber == 1)
        #expect(counts.housesWithoutPosition == 1)
        #expect(counts.housesWithoutStreet == 1)
    }

    @Test func `a relation gives its houses the street, unless they have one`() async throws {
        let map = try await MadeMap(
            """
            n1 Taddr:housenumber=1 x1 y1
            n2 Taddr:housenumber=2,addr:street=Own x1 y1
            n3 Taddr:housenumber=3 x1 y1
            n4 x1 y1
            w1 Tbuilding=yes,addr:housenumber=4 Nn4,n1
            w2 Thighway=residential,name=Long%20%Lane Nn4,n1
            r1 Ttype=associatedStreet,name=Short%20%Street,addr:postcode=9490 Mn1@house,n2@house,w1@address
            r2 Ttype=street Mw2@street,n3@address
            """)
        #expect(
            map.houses.map { $0.split(separator: "|")[0] } == [
                "building 4 Short Street", "node 1 Short Street", "node 2 Own", "node 3 Long Lane",
            ])
        #expect(map.houses[1].contains("|9490 "))
        #expect(map.objects.counts.housesOfRelations == 3)
    }

    @Test(arguments: [
        ("even", "2", "8", ["4", "6"]), ("odd", "7", "1", ["3", "5"]), ("all", "1", "4", ["2", "3"]),
        ("10", "10", "40", ["20", "30"]), ("alphabetic", "5a", "5d", ["5b", "5c"]), ("even", "1", "5", ["2", "4"]),
        ("even", "2", "4000", []), ("odd", "a", "b", []), ("0", "1", "9", []), ("alphabetic", "5a", "6d", []),
        ("all", "3", "3", []), ("-1", "3", "9", []),
    ])
    func `a line of interpolation gives the numbers between its ends`(
        method: String, first: String, last: String, between: [String]
    ) async throws {
        let map = try await MadeMap(
            """
            n1 Taddr:housenumber=\(first),addr:street=Weg x1 y1
            n2 x1 y1.5
            n3 Taddr:housenumber=\(last),addr:street=Weg x1 y2
            w1 Taddr:interpolation=\(method) Nn1,n2,n3
            """)
        let numbers = map.objects.houses.filter { $0.kind == .interpolated }
        #expect(numbers.map { map.objects.texts[$0.number] }.sorted() == between)
        #expect(map.houses.count == 2 + between.count)
        for house in numbers {
            #expect(
                (10_000_001..<20_000_000).contains(house.position.latitude) && house.position.longitude == 10_000_000)
            #expect(map.objects.text(house).contains("Weg||||"))
        }
        #expect(map.objects.counts.unusedInterpolations == (between.isEmpty ? 1 : 0))
    }

    @Test func `interpolated houses lie at their share of the line`() async throws {
        let map = try await MadeMap(
            """
            n1 Taddr:housenumber=1 x0 y0
            n2 x3 y0
            n3 Taddr:housenumber=9 x4 y0
            w1 Taddr:interpolation=odd Nn1,n2,n3
            r1 Ttype=associatedStreet,name=Weg Mn3@house
            """)
        let places = map.objects.houses.filter { $0.kind == .interpolated }.map(\.position.longitude)
        #expect(places == [10_000_000, 20_000_000, 30_000_000])
        #expect(map.houses.filter { $0.hasPrefix("interpolated") }.allSatisfy { $0.contains(" Weg|") })
    }

    @Test func `streets are ways with a name that exist, and squares`() async throws {
        let map = try await MadeMap(
            """
            n1 x1 y1
            n2 x2 y1
            n3 x2 y2
            n9 Tplace=square,name=Dot x5 y5
            w1 Thighway=residential,name=Weg,name:fr=Chemin,alt_name=Alt;Weg,name:etymology=X,postal_code=9490 Nn1,n2,n8
            w2 Thighway=proposed,name=Plan Nn1,n2
            w3 Thighway=residential Nn1,n2
            w4 Thighway=pedestrian,area=yes,name=Markt Nn1,n2,n3,n1
            w5 Tplace=square,name=Platz Nn1,n2,n3,n1
            w6 T Nn2,n3
            w7 Thighway=residential,name=Gone Nn7,n8
            r1 Ttype=multipolygon,place=square,name=Ring Mw6@outer
            """)
        let triangle = "10000000,10000000 10000000,20000000 20000000,20000000 10000000,10000000"
        #expect(
            map.streets == [
                "Weg(Chemin/Alt) 10000000,10000000 10000000,20000000", "Markt() square \(triangle)",
                "Platz() square \(triangle)", "Ring() square 10000000,20000000 20000000,20000000",
                "Dot() square 50000000,50000000",
            ])
        #expect(map.objects.texts[map.objects.streets[0].postcode] == "9490")
        #expect(map.objects.counts.streetsWithoutPosition == 1)
    }

    @Test func `places are nodes, ways, and relations without a centre`() async throws {
        let map = try await MadeMap(
            """
            n1 Tplace=village,name=Au,population=1%20%234 x1 y1
            n2 x3 y3
            n3 x5 y4
            n4 Tplace=state,name=Nord x1 y1
            w1 Tplace=suburb,name=Ost Nn2,n3
            w2 T Nn2,n3
            r1 Ttype=multipolygon,place=hamlet,name=Hof Mw2@outer
            r2 Ttype=boundary,place=town,name=Stadt Mw2@outer,n1@label
            """)
        let places = map.objects.places.map {
            "\($0.kind) \(map.objects.texts[$0.name]) \($0.position.latitude) \($0.population)"
        }
        #expect(places.sorted() == ["hamlet Hof 35000000 0", "suburb Ost 35000000 0", "village Au 10000000 1234"])
    }

    @Test func `a boundary is complete, or broken and named`() async throws {
        let map = try await MadeMap(
            """
            n1 x0 y0
            n2 x0 y9
            n3 x9 y9
            n4 x9 y0
            n5 Tname=Ort,place=town x1 y1
            w1 T Nn1,n2,n3
            w2 T Nn1,n4,n3
            w3 T Nn1,n2
            w4 T Nn1,n99,n1
            w5 Tboundary=administrative,admin_level=9,name=Ward Nn1,n2,n3,n1
            r1 Ttype=boundary,boundary=administrative,admin_level=8,name=Ort,ISO3166-2=li-01 Mw1@outer,w2@,n5@admin_centre
            r2 Ttype=boundary,boundary=postal_code,postal_code=9490 Mw2@outer,w1@outer
            r3 Ttype=boundary,boundary=administrative,admin_level=8,name=Open Mw1@outer
            r4 Ttype=boundary,boundary=administrative,admin_level=8,name=Missing Mw1@outer,w99@outer
            r5 Ttype=boundary,boundary=administrative,admin_level=8,name=Hole Mw4@outer
            r6 Ttype=boundary,boundary=administrative,name=None Mw1@outer
            """)
        let objects = map.objects
        #expect(objects.areas.map { objects.texts[$0.name] } == ["Ort", "9490", "Ward"])
        #expect(objects.areas.map(\.kind) == [.boundary(8), .postcode, .boundary(9)])
        #expect(objects.areas.map(\.id) == [1, 2, -5])
        #expect(objects.areas[0].label == MapPosition(latitude: 10_000_000, longitude: 10_000_000))
        #expect(objects.texts[objects.areas[0].isoCode] == "LI-01")
        for area in objects.areas.dropLast() {
            let ring = try #require(objects.rings(of: area).first)
            #expect(ring.count == 5 && ring.first == ring.last && Set(ring).count == 4)
        }
        #expect(objects.brokenBoundaries.map { objects.texts[$0.name] } == ["Open", "Missing", "Hole"])
    }

    @Test func `a text is stored once, without white space around it, and not with control characters`() {
        var texts = TextTable()
        let names = (0..<5_000).map { "Straße \($0)" }
        let numbers = names.map { texts.number(of: $0) }
        #expect(names.map { texts.number(of: " \($0)\n") } == numbers)
        #expect(numbers.map { texts[$0] } == names)
        #expect(texts.count == 5_001)
        #expect(texts.number(of: "a\u{0}b") == 0)
        #expect(texts.number(of: String(repeating: "x", count: 1_021)) == 0)
        #expect(texts[0] == "")
    }
}
