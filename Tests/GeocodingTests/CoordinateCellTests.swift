import Geocoding
import Testing

struct CoordinateCellTests {
    private func cell(_ latitude: Double, _ longitude: Double) throws -> CoordinateCell {
        CoordinateCell(try #require(Coordinate(latitude: latitude, longitude: longitude)))
    }

    @Test func `the date line has one cell for both signs, and so has a pole`() throws {
        #expect(try cell(10, 180) == cell(10, -180))
        #expect(try cell(90, 10) == cell(90, -120))
        #expect(try cell(10, 179) != cell(10, -179))
        #expect(try cell(0, 0) == cell(-0.0001, 0.0001))
    }

    @Test func `a centre lies within half a cell, and in its own cell`() throws {
        for (latitude, longitude) in [(52.51631, 13.37777), (-33.85678, 151.21529), (89.9999, -179.9999)] {
            let centre = try cell(latitude, longitude).centre
            #expect(abs(centre.latitude - latitude) <= 0.00025001)
            #expect(CoordinateCell(centre) == (try cell(latitude, longitude)))
        }
    }

    @Test func `adjacent cells have different hashes, which no address has`() throws {
        let hashes = try (0..<100).map { try cell(10 + Double($0) * 0.0005, 20).hash }
        #expect(Set(hashes).count == 100)
        #expect(try cell(0, 0).hash != AddressHash(Address()))
    }
}
