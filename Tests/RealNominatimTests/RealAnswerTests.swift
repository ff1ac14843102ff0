import Geocoding
import HTTP
import Testing

/// The scripted server of the other tests must give the same replies as this real one.
@Suite(.realNominatim, .timeLimit(.minutes(10)))
struct RealAnswerTests {
    @Test func `a house is found with its parts and its precision`() async throws {
        let candidate = try #require(
            try await first(Query(Address(street: "Aleksanterinkatu 50", city: "Helsinki", country: "Finland"))))
        #expect(candidate.precision == .rooftop)
        #expect(candidate.placemark.thoroughfare == "Aleksanterinkatu")
        #expect(candidate.placemark.subThoroughfare == "50")
        #expect(candidate.placemark.locality == "Helsinki")
        #expect(candidate.placemark.countryCode == "FI")
        #expect(abs(candidate.placemark.coordinate.latitude - 60.1687) < 0.001)
        #expect(abs(candidate.placemark.coordinate.longitude - 24.9434) < 0.001)
    }

    @Test func `a house is found by one line too`() async throws {
        let query = Query(Address(street: "Aleksanterinkatu 50", city: "Helsinki"), form: .freeForm)
        #expect(try await first(query)?.placemark.subThoroughfare == "50")
    }

    @Test func `a house missing from the map gives its street, with the precision of a street`() async throws {
        let query = Query(Address(street: "Aleksanterinkatu 9999", city: "Helsinki", country: "Finland"))
        #expect(try await first(query)?.precision == .street)
    }

    @Test func `an unknown place is not found`() async throws {
        let query = Query(Address(street: "Xyzzyplugh 1", city: "Qwertyville", country: "Finland"))
        #expect(try await with { try await $0.geocode([query]) } == [.notFound])
    }

    @Test func `a place at a coordinate is found, and none in the sea`() async throws {
        let places = [(60.1687294, 24.9434411), (0, -30)]
        let coordinates = try places.map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) }
        let answers = try await with { try await $0.reverseGeocode(coordinates) }
        guard case .found(let candidates) = try #require(answers.first) else {
            Issue.record("nothing was found in Helsinki")
            return
        }
        #expect(candidates.first?.placemark.locality == "Helsinki")
        #expect(answers.last == .notFound)
    }

    private func first(_ query: Query) async throws -> Candidate? {
        guard case .found(let candidates) = try await with({ try await $0.geocode([query]) }).first else { return nil }
        return candidates.first
    }

    private func with(_ body: (any GeocodingProvider) async throws -> [Answer]) async throws -> [Answer] {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let server = try #require(RealNominatim.running)
        let result: Result<[Answer], any Error>
        do { result = .success(try await body(server.provider(client))) } catch { result = .failure(error) }
        await client.close()
        return try result.get()
    }
}
