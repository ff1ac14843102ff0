import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct OpenCageTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 50.9775106, longitude: 11.3285424))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Lindenweg", subThoroughfare: "12", locality: "Musterstadt",
            subLocality: "Altstadt", administrativeArea: "Thüringen", subAdministrativeArea: "Musterkreis",
            postalCode: "98765", countryCode: "DE", countryName: "Deutschland")
        try await ProviderContract(
            make: ShippedService.opencage.provider,
            found: try recorded("opencage", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json(#"{"results": [], "status": {"code": 200, "message": "OK"}, "total_results": 0}"#),
            bodyAt: { #"{"results": [{"components": {}, "geometry": {"lat": \#($0), "lng": \#($1)}}]}"# }
        ).check(trial)
    }

    @Test func `an address is sent on one line, limited to its country, with logging off`() async throws {
        let request = try await call(.json(#"{"results": []}"#)).request
        #expect(request.path == "/geocode/v1/json")
        #expect(
            request.query == [
                "q": Query(.spread).line, "countrycode": "fi", "limit": "5", "no_annotations": "1", "no_record": "1",
                "language": "native", "key": "secret",
            ])
    }

    @Test func `a coordinate is sent as latitude and longitude`() async throws {
        let place = try #require(Coordinate(latitude: 60.5, longitude: -24.5))
        let talk = try await Conversation(with: ShippedService.opencage.provider, answering: .json(#"{"results": []}"#))
        {
            try await $0.reverseGeocode([place])
        }
        #expect(try talk.request.query["q"] == "60.5,-24.5")
        #expect(talk.answers == [.notFound])
    }

    @Test(arguments: [
        ("road", "road", Precision.street), ("postcode", "postcode", .postcode), ("village", "place", .city),
        ("state", "place", .region), ("country", "place", .country), ("school", "education", .street),
        ("unknown", "place", .city),
    ])
    func `the precision is that of the result, which has no score`(
        type: String, category: String, expected: Precision
    ) async throws {
        let components = #"{"_type": "\#(type)", "_category": "\#(category)"}"#
        let body = #"{"results": [{"components": \#(components), "geometry": {"lat": 1, "lng": 2}, "confidence": 9}]}"#
        let candidate = try #require(try await call(.json(body)).candidates.first)
        #expect(candidate.precision == expected)
        #expect(candidate.score == nil)
    }

    @Test func `numbers in place of texts are read as texts`() async throws {
        let components =
            #"{"_type": "building", "road": 42, "house_number": 12, "postcode": 98765, "country_code": "de"}"#
        let body = #"{"results": [{"components": \#(components), "geometry": {"lat": "1", "lng": 2}}]}"#
        let place = try #require(try await call(.json(body)).candidates.first?.placemark)
        #expect(place.thoroughfare == "42" && place.subThoroughfare == "12" && place.postalCode == "98765")
    }

    @Test func `a query that is too long is refused`() async throws {
        #expect(try await call(.status(410)).answers == [.refused(reason: "opencage answered 410")])
    }

    @Test func `the quota returns at the time in the reply`() throws {
        let provider = ShippedService.opencage.provider(
            key: "secret", http: HTTPClient(HTTPClient.Options(userAgent: "Waypost")))
        func reset(_ headers: HTTPHeaders) -> Duration? {
            provider.quotaReset(in: HTTPResponse(status: 402, headers: headers), now: 1_000_000)
        }
        #expect(reset(["X-RateLimit-Reset": "1000500"]) == .seconds(500))
        #expect(reset(["X-RateLimit-Reset": "9000500"]) == .seconds(86_400))
        #expect(reset(["X-RateLimit-Reset": "999999"]) == nil)
        #expect(reset(["X-RateLimit-Reset": "soon", "Retry-After": "7"]) == .seconds(7))
    }

    @Test func `a used-up quota is retried at the time in the reply, or else every hour`() async throws {
        await #expect(throws: ProviderError.quotaExhausted(resetIn: .seconds(3_600))) { try await call(.status(402)) }
        // In the year 5138, which is cut to a day.
        await #expect(throws: ProviderError.quotaExhausted(resetIn: .seconds(86_400))) {
            try await call(.status(402, [("X-RateLimit-Reset", "99999999999")]))
        }
    }

    @discardableResult
    private func call(_ answer: ScriptedAnswer) async throws -> Conversation {
        try await Conversation(with: ShippedService.opencage.provider, answering: answer) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
    }
}
