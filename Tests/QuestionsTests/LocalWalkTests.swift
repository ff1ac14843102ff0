import Geocoding
import Questions
import Testing

/// Questions that are answered in this process, by scripted providers.
struct LocalWalkTests {
    private static let terms = ProviderTerms(batch: 1, forms: [.structured], finest: .postcode)
    private static let chain = Chain([Chain.Link("near"), Chain.Link("far")])

    private static func town(_ name: String, _ latitude: Double, country: String = "US") throws -> Candidate {
        let place = try #require(Coordinate(latitude: latitude, longitude: -119.8))
        return Candidate(Placemark(coordinate: place, locality: name, countryCode: country), .city)
    }

    private func walk(
        _ address: Address, near: @escaping LocalWalk.Look
    ) async throws -> LocalWalk {
        try await LocalWalk(.address(address), along: Self.chain, mending: nil) { lane in
            lane == "near" ? (Self.terms, near) : nil
        }
    }

    @Test func `a place that is hardly the one asked for is not among the places`() async throws {
        let (reno, paris) = (try Self.town("Reno", 39.5), try Self.town("Paris", 33.6, country: "FR"))
        let walk = try await walk(Address(city: "Reno", country: "US")) { _, _ in .found([paris, reno]) }
        #expect(walk.isOver && walk.answer?.placemark.locality == "Reno")
        #expect(walk.places.map(\.placemark.locality) == ["Reno"])
    }

    @Test func `a street is left to the next provider, with its town as the answer so far`() async throws {
        let reno = try Self.town("Reno", 39.5)
        let walk = try await walk(Address(street: "12 Main St", city: "Reno", country: "US")) { _, _ in .found([reno]) }
        #expect(!walk.isOver && walk.answer?.isWeak == true && walk.places.count == 1)
    }

    @Test func `a provider that fails here is left to a worker`() async throws {
        let walk = try await walk(Address(city: "Reno", country: "US")) { _, _ in
            throw ProviderError.unavailable(reason: "damaged")
        }
        #expect(!walk.isOver && walk.places.isEmpty)
    }
}
