import Testing

@testable import Geocoding

struct RegionTests {
    @Test func `a region is found by its names and codes, in its own country only`() throws {
        let usa = try #require(Country("US"))
        let canada = try #require(Country("CA"))
        #expect(Region.code(folded: Array("new york".utf8)[...], in: usa) == Array("ny".utf8))
        #expect(Region.code(folded: Array("n y".utf8)[...], in: usa) == Array("ny".utf8))
        #expect(Region.code(folded: Array("new york".utf8)[...], in: canada) == nil)
        #expect(Region.code(folded: Array("quebec".utf8)[...], in: canada) == Array("qc".utf8))
    }
}
