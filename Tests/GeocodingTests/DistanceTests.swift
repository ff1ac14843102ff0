import Foundation
import Geocoding
import Testing

struct DistanceTests {
    /// Two places and the metres between them, computed by C. F. F. Karney's GeographicLib. Some were published with
    /// Vincenty's paper or as examples where his method fails.
    private static let geodesics: [(Double, Double, Double, Double, Double)] = [
        (0, 0, 0, 1, 111319.490793),
        (0, 0, 1, 0, 110574.388558),
        (0, 0, 90, 0, 10001965.729313),
        (90, 0, -90, 0, 20003931.458625),
        (0, 0, 0, 180, 20003931.458625),
        (0, 0, 0.5, 179.5, 19936288.578965),
        (0, 0, 0.5, 179.7, 19944127.420750),
        (30, 0, -30, 180, 20003931.458625),
        (30, 0, -29.9, 179.8, 19989832.827610),
        (-30, 30, 29.999, -149.9, 20002899.612307),
        (60.1699, 24.9384, 59.437, 24.7536, 82307.766198),
        (40.6413, -73.7781, 51.47, -0.4543, 5554908.790548),
        (-41.32, 174.81, 40.96, -5.5, 19959679.267354),
        (37.95103341666667, 144.42486788888888, 37.65282113888889, 143.92649552777777, 54972.271139),
        (1, 179.9999, 1, -179.9999, 22.260530),
        (36.49349, 9.5, 36.4935, 9.5, 1.109682),
        (0, 0, 0, 179.5, 19980861.908891),
        (1e-06, 0, 0, 179.999, 20003931.255747),
        (89.9999, 10, -89.9999, -170, 20003931.458625),
        (12.5, 7, 12.5, 7, 0),
    ]

    @Test(arguments: geodesics) func `distances equal those of geodesy`(
        latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double, metres: Double
    ) throws {
        let one = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let other = try #require(Coordinate(latitude: otherLatitude, longitude: otherLongitude))
        #expect(abs(one.distance(to: other) - metres) < 0.001)
        #expect(abs(other.distance(to: one) - metres) < 0.001)
    }

    @Test func `isWithin agrees with the distance`() throws {
        let one = try #require(Coordinate(latitude: 0, longitude: 0))
        let other = try #require(Coordinate(latitude: 0, longitude: 1))
        #expect(one.isWithin(111_320, of: other))
        #expect(!one.isWithin(111_319, of: other))
    }

    @Test func `a coordinate is two numbers in JSON, and one that is not on Earth is refused`() throws {
        let json = Data(#"{"latitude":60.5,"longitude":-25}"#.utf8)
        let coordinate = try JSONDecoder().decode(Coordinate.self, from: json)
        #expect(coordinate == Coordinate(latitude: 60.5, longitude: -25))
        #expect(try JSONDecoder().decode(Coordinate.self, from: JSONEncoder().encode(coordinate)) == coordinate)
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Coordinate.self, from: Data(#"{"latitude":91.5,"longitude":0}"#.utf8))
        }
        #expect(try !String(describing: #require(error)).contains("91.5"))
    }
}
