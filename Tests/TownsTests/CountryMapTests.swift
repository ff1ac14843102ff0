import Foundation
import Geocoding
import Testing

@testable import Towns

struct CountryMapTests {
    private let map = CountryMap.shared

    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test(arguments: [
        ("LS", -29.31, 27.48), ("SM", 43.936, 12.447), ("VA", 41.9022, 12.4533), ("IT", 41.9022, 12.46),
        // Baarle: parts of Belgium in the Netherlands, and a part of the Netherlands in one of these.
        ("BE", 51.4382, 4.9306), ("NL", 51.4480, 4.9300), ("IT", 45.969, 8.971), ("DE", 47.6967, 8.688),
        ("ES", 35.889, -5.316), ("ES", 42.464, 1.981), ("RU", 54.71, 20.51), ("US", 48.985, -123.06),
        ("AO", -5.55, 12.2), ("TL", -9.2, 124.36), ("AZ", 39.21, 45.41), ("OM", 26.18, 56.25),
        ("VN", 21.03, 105.85), ("VN", 10.78, 106.7), ("XK", 42.66, 21.17), ("RS", 44.82, 20.46),
        ("FR", 48.85, 2.35), ("GF", 4.93, -52.33), ("GI", 36.14, -5.35), ("MC", 43.738, 7.424),
        // Three countries meet in Basel, and Fiji lies on both sides of the date line.
        ("CH", 47.5880, 7.5905), ("FR", 47.5917, 7.5867), ("DE", 47.5919, 7.5915),
        ("FJ", -16.8, 179.97), ("FJ", -16.8, -179.98), ("PF", -17.54, -149.57), ("SJ", 78.22, 15.64),
    ])
    func `an enclave, an island and a corner have their country`(
        _ code: String, _ latitude: Double, _ longitude: Double
    )
        throws
    {
        let place = try place(latitude, longitude)
        #expect(map.countries(at: place).contains(code))
        #expect(!map.isAbroad(place, from: code))
        #expect(map.isAbroad(place, from: "BR"))
    }

    @Test func `where zones overlap several countries are right`() throws {
        #expect(map.countries(at: try place(43.0, 41.02)) == ["GE", "RU"])
        #expect(map.countries(at: try place(31.78, 35.23)) == ["IL", "PS", "SY"])
    }

    @Test func `no country has the open sea`() throws {
        for (latitude, longitude) in [(0.0, -30.0), (40, -40), (-50, 120), (90, 0), (90, 180)] {
            #expect(map.countries(at: try place(latitude, longitude)) == [])
        }
    }

    @Test func `each corner of the world has an answer`() throws {
        for latitude in stride(from: -90.0, through: 90, by: 0.5) {
            for longitude in [-180.0, -179.999_999, 0, 179.999_999, 180] {
                #expect(map.countries(at: try place(latitude, longitude)).count < 4)
            }
        }
    }

    @Test func `a territory is not abroad from its country`() throws {
        #expect(!map.isAbroad(try place(-21.1, 55.5), from: "FR"))
        #expect(!map.isAbroad(try place(54.15, -4.48), from: "GB"))
        #expect(!map.isAbroad(try place(47.14, 9.52), from: ""))
    }

    @Test func `a distance keeps what is near a border`() throws {
        // Half a kilometre and five kilometres from the Rhine, which is the border.
        let (near, far) = (try place(47.14, 9.502), try place(47.14, 9.44))
        #expect(map.isAbroad(near, from: "LI") && !map.isAbroad(near, from: "LI", by: 1_000))
        #expect(map.isAbroad(far, from: "LI", by: 1_000))
        #expect(map.isAbroad(try place(-90, 0), from: "LI", by: 1_000) == map.isAbroad(try place(-90, 0), from: "LI"))
    }

    @Test func `each town and postcode of the gazetteer lies in its country`() {
        let gazetteer = Gazetteer.shared
        let places = (0..<gazetteer.image.count(of: .places)).map {
            (gazetteer.places[$0].coordinate, gazetteer.places[$0].country)
        }
        let postcodes = (0..<gazetteer.image.count(of: .postcodes)).map {
            (gazetteer.postcodes[$0].coordinate, gazetteer.postcodes[$0].country)
        }
        var unknown = 0
        let abroad = (places + postcodes).filter { position, country in
            guard let place = Coordinate(latitude: position.latitude, longitude: position.longitude) else {
                return true
            }
            if map.keys(at: place).isEmpty { unknown += 1 }
            return map.isAbroad(place, from: CountryKey(country).code)
        }
        #expect(abroad.map { CountryKey($0.1).code } == [])
        #expect(unknown < 300, "of \(places.count + postcodes.count)")
    }

    @Test func `the nearest town is in the country of the coordinate`() throws {
        func country(_ latitude: Double, _ longitude: Double) throws -> String? {
            Gazetteer.shared.nearest(to: try place(latitude, longitude))?.placemark.countryCode
        }
        // The border of the United States and Mexico, between two towns, and the Rhine between Buchs and Schaan.
        #expect(try country(32.5430, -117.03) == "US")
        #expect(try country(32.5420, -117.03) == "MX")
        #expect(try country(47.1660, 9.4895) == "CH")
        #expect(try country(47.1660, 9.4915) == "LI")
    }

    @Test func `damaged borders are empty, and do not end the program`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../sql/seed")
        let whole = try Data(contentsOf: folder.appending(path: "countries.bin"))
        var generator = Seeded(state: 1)
        func look(_ data: Data) -> Int {
            data.withUnsafeBytes { bytes in
                let map = CountryMap(bytes)
                return (0..<300).count { _ in
                    let place = Coordinate(
                        latitude: .random(in: -90...90, using: &generator),
                        longitude: .random(in: -180...180, using: &generator))
                    return place.map { !map.countries(at: $0).isEmpty } ?? false
                }
            }
        }
        #expect(look(whole) > 60)
        for length in [0, 1, 15, 16, 100, whole.count - 1] { #expect(look(whole.prefix(length)) == 0) }
        for _ in 0..<40 {
            var data = whole
            // Each part of the file is damaged in turn.
            for range in [16..<whole.count, 120_000..<240_000, whole.count - 1_000_000..<whole.count] {
                for _ in 0..<2_000 {
                    data[Int.random(in: range, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            }
            _ = look(data)
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}
