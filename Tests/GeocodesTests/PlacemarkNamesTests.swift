import Foundation
import Geocoding
import Testing

@testable import Geocodes

struct PlacemarkNamesTests {
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
}
