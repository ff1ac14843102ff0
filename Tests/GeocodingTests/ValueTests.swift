import Geocoding
import Testing

struct ValueTests {
    @Test func `an address of white space is empty`() {
        #expect(Address().isEmpty)
        #expect(Address(street: " \n", city: "\u{A0}", country: "\t").isEmpty)
        #expect(!Address(postcode: "0").isEmpty)
    }

    @Test func `a coordinate lies on Earth`() {
        #expect(Coordinate(latitude: 90, longitude: -180) != nil)
        #expect(Coordinate(latitude: 90.000_001, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: 180.000_001) == nil)
        #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
    }

    @Test func `finer precisions come first`() {
        #expect(Precision.allCases.sorted() == Precision.allCases)
        #expect(Precision.rooftop < .country)
        #expect(min(Precision.city, .street) == .street)
    }
}
