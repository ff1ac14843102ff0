import Foundation
import Geocoding
import Testing

@testable import Questions

struct CandidateJSONTests {
    /// Compares every field of a placemark, so that the encoder can't forget a new one.
    @Test func `names encoded by our own code are read back, whatever characters they have`() throws {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
        place.name = "Café \"Zum Ω\""
        place.thoroughfare = "a\\b\tc\nd\u{1f}"
        place.subThoroughfare = "5/7"
        place.locality = "東京"
        place.subLocality = "🌲"
        place.administrativeArea = "Île-de-France"
        place.subAdministrativeArea = "x"
        place.postalCode = "0150"
        place.countryCode = "NO"
        place.countryName = "Norway"
        var stored = try #require(
            JSONSerialization.jsonObject(with: Data(place.namesAsJSON.utf8)) as? [String: Any])
        stored["coordinate"] = ["latitude": 1, "longitude": 2]
        let read = try JSONDecoder().decode(Placemark.self, from: JSONSerialization.data(withJSONObject: stored))
        #expect(read == place)
        #expect(Set(stored.keys) == Set(Mirror(reflecting: place).children.compactMap(\.label)))
    }

    @Test func `a candidate reads back equal`() throws {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: -1.25, longitude: 1e-7)))
        place.locality = "L\u{f3}\"\\\n"
        let full = Place(
            placemark: place, precision: .street, areaConfidence: 0.123_456_789, isWeak: true, provider: "a b",
            step: .withoutUnit, storage: .session)
        let plain = Place(placemark: place, precision: .city, areaConfidence: 1, provider: "p")
        for candidates in [[full, plain], [plain], []] {
            #expect(try [Place](json: candidates.json) == candidates)
        }
        // Compares every field, so that the encoder can't forget a new one of a candidate.
        let written = try JSONSerialization.jsonObject(with: Data([full].json.utf8)) as? [[String: Any]]
        #expect(
            written?.first.map { Set($0.keys).union(["days"]) }
                == Set(
                    Mirror(reflecting: full).children.compactMap(\.label).map {
                        $0 == "areaConfidence" ? "confidence" : $0
                    }))
    }

    @Test func `a NUL character, which PostgreSQL refuses, is removed from a text`() throws {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
        place.name = "a\0b"
        #expect(place.namesAsJSON == #"{"name":"ab"}"#)
    }
}
