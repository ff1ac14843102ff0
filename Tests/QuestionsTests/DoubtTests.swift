import Geocoding
import Questions
import Testing

struct DoubtTests {
    private let home = Address(street: "1 Main St", city: "Reno", region: "NV", postcode: "89501", country: "US")

    private func candidate(
        _ precision: Precision = .rooftop, at latitude: Double = 39.5, confidence: Double = 0.5,
        _ change: (inout Placemark) -> Void = { _ in }
    ) throws -> Place {
        var place = Placemark(coordinate: try #require(Coordinate(latitude: latitude, longitude: -119.8)))
        (place.subThoroughfare, place.thoroughfare, place.locality) = ("1", "Main Street", "Reno")
        (place.administrativeArea, place.postalCode, place.countryCode) = ("Nevada", "89501", "US")
        change(&place)
        return Place(placemark: place, precision: precision, areaConfidence: confidence, provider: "a")
    }

    private func review(_ candidates: Place...) -> String {
        Doubt.words(for: candidates, of: .address(home), isChoice: true)
    }

    @Test func `places with one name are counted, and one found by two providers counts once`() throws {
        func town(_ latitude: Double, confidence: Double = 0.5) throws -> Place {
            try candidate(.city, at: latitude, confidence: confidence) { $0.thoroughfare = nil }
        }
        #expect(review(try town(39), try town(45)) == "two towns of this name")
        #expect(review(try town(39), try town(45), try town(45.01), try town(50)) == "three towns of this name")
        #expect(
            review(try town(39), try town(41), try town(43), try town(45), try town(47)) == "several towns of this name"
        )
        // A candidate with a small share of the people also counts.
        #expect(review(try town(39), try town(45, confidence: 0.1)) == "two towns of this name")
        #expect(review(try candidate(at: 39), try candidate(at: 45)) == "two places fit equally well")
        #expect(review(try candidate(.street, at: 39), try candidate(.street, at: 45)) == "two streets of this name")
        #expect(
            review(try candidate(.postcode, at: 39), try candidate(.postcode, at: 45))
                == "two places with this postcode")
    }

    @Test func `the reason names the difference, else the find, else what is missing`() throws {
        #expect(review(try candidate { $0.locality = "Bangor" }) == "the town differs")
        #expect(
            review(try candidate { ($0.thoroughfare, $0.locality) = ("Elm Street", "Bangor") }).hasPrefix(
                "the town and the street"))
        #expect(review(try candidate { $0.countryCode = "FI" }) == "the country differs")
        #expect(review(try candidate(.city) { ($0.thoroughfare, $0.subThoroughfare) = (nil, nil) }) == "roughly: town")
        #expect(review(try candidate { $0.subThoroughfare = nil }) == "the house number is missing")
        #expect(review(try candidate()) == "the provider is not sure of it")
        let nowhere = Address(street: home.street, city: home.city, postcode: home.postcode)
        let words = try Doubt.words(for: [candidate()], of: .address(nowhere), isChoice: true)
        #expect(words == "more than one country could be meant")
    }

    @Test func `the reason distinguishes a wrong match from no match`() throws {
        let other = try candidate { $0.locality = "Bangor" }
        #expect(Doubt.words(for: [other], of: .address(home), isChoice: false) == "not found; perhaps Bangor")
        #expect(Doubt.words(for: [], of: .address(home), isChoice: false) == "not found")
        let somewhere = Question.Subject.coordinate(other.placemark.coordinate)
        #expect(Doubt.words(for: [], of: somewhere, isChoice: false) == "no provider has found anything there")
    }

    @Test func `a match coarser than the question is named as such`() {
        #expect(Doubt.weakness(of: .city, for: home) == "roughly: town")
        #expect(Doubt.weakness(of: .postcode, for: home) == "roughly: postcode")
        #expect(Doubt.weakness(of: .street, for: home) == "roughly: street")
        #expect(Doubt.weakness(of: .street, for: Address(street: "Main St", city: "Reno")) == nil)
        #expect(Doubt.weakness(of: .rooftop, for: home) == nil)
        let postcode = Address(street: " ", city: "Reno", postcode: "89501")
        #expect(Doubt.weakness(of: .city, for: postcode) == "roughly: town")
        #expect(Doubt.weakness(of: .city, for: Address(city: "Reno")) == nil)
    }

    @Test(arguments: [GeocodeStatus.waiting, .needsReview, .notFound, .failed, .forgotten])
    func `every question without a place has a reason, stored or not`(status: GeocodeStatus) {
        #expect(status.reason(nil, provider: nil)?.isEmpty == false)
        #expect(GeocodeStatus.located.reason("old", provider: "a") == nil)
        #expect(GeocodeStatus.failed.reason("refused: it said no", provider: "photon") == "photon refused: it said no")
        #expect(GeocodeStatus.failed.reason("cancelled by a person", provider: "photon") == "cancelled by a person")
        #expect(GeocodeStatus.waiting.reason("the line is down", provider: "a") == "no provider has answered yet")
    }
}
