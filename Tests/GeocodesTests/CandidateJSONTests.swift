import Foundation
import Geocoding
import Testing

@testable import Geocodes

struct CandidateJSONTests {
    /// Each name that `Codable` knows, so that none which a placemark gets later is left out in writing.
    @Test func `names written by hand are read back, whatever characters they have`() throws {
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
        let written = try #require(
            JSONSerialization.jsonObject(with: Data(place.namesAsJSON.utf8)) as? [String: String])
        let coded = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(place)) as? [String: Any])
        #expect(written == coded.compactMapValues { $0 as? String })
        #expect(written.count == 10)
    }

    @Test func `a candidate that was written is the same when it is read`() throws {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: -1.25, longitude: 1e-7)))
        place.locality = "L\u{f3}\"\\\n"
        let full = GradedCandidate(
            placemark: place, precision: .street, confidence: 0.123_456_789, isWeak: true, provider: "a b",
            step: .withoutUnit, storage: .session)
        let plain = GradedCandidate(placemark: place, precision: .city, confidence: 1, provider: "p")
        for candidates in [[full, plain], [plain], []] {
            #expect(try [GradedCandidate](json: candidates.json) == candidates)
        }
        // By the keys of `Codable`, so that none which a candidate gets later is left out in writing.
        for candidate in [full, plain] {
            let written = try JSONSerialization.jsonObject(with: Data([candidate].json.utf8)) as? NSArray
            let coded = try JSONSerialization.jsonObject(with: JSONEncoder().encode([candidate])) as? NSArray
            #expect(written == coded)
        }
    }

    @Test func `a text with a zero in it, which PostgreSQL refuses, is kept without the zero`() throws {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
        place.name = "a\0b"
        #expect(place.namesAsJSON == #"{"name":"ab"}"#)
    }
}
