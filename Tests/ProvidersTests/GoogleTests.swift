import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct GoogleTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 48.1234567, longitude: 11.7654321))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Lindenweg", subThoroughfare: "12", locality: "Musterstadt",
            subLocality: "Altstadt", administrativeArea: "Bayern", subAdministrativeArea: "Musterkreis",
            postalCode: "98765", countryCode: "DE", countryName: "Germany")
        try await ProviderContract(
            make: ShippedService.google.provider,
            found: try recorded("google", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json(#"{"results": [], "status": "ZERO_RESULTS"}"#),
            bodyAt: { Self.place(#""types": []"#, latitude: $0, longitude: $1) },
            quota: .json(#"{"status": "OVER_DAILY_LIMIT", "results": []}"#)
        ).check(trial)
    }

    @Test func `an address is sent on one line, limited to its country`() async throws {
        let request = try await call(.json(#"{"status": "ZERO_RESULTS"}"#)).request
        #expect(request.path == "/geocode/json")
        #expect(
            request.query == ["address": Query(.spread).line, "components": "country:FI", "key": "secret"])
    }

    @Test func `a coordinate is sent as latitude and longitude`() async throws {
        let place = try #require(Coordinate(latitude: 60.5, longitude: -24.5))
        let talk = try await Conversation(
            with: ShippedService.google.provider, answering: .json(recorded("google", "house"))
        ) {
            try await $0.reverseGeocode([place])
        }
        #expect(try talk.request.query == ["latlng": "60.5,-24.5", "key": "secret"])
        #expect(talk.candidates.count == 2)
    }

    @Test(arguments: [
        (#"{"status": "OVER_QUERY_LIMIT"}"#, ProviderError.busy(retryAfter: .seconds(60))),
        (
            #"{"status": "OVER_QUERY_LIMIT", "error_message": "You have exceeded your daily request quota."}"#,
            .quotaExhausted(resetIn: .seconds(3_600))
        ),
        (#"{"status": "REQUEST_DENIED"}"#, .unauthorized(reason: "google answered REQUEST_DENIED")),
        (#"{"status": "UNKNOWN_ERROR"}"#, .unavailable(reason: "google answered neither OK nor why not")),
        (#"{"status": "secret"}"#, .unavailable(reason: "google answered neither OK nor why not")),
    ])
    func `a failure is read from the status of a 200 reply`(body: String, expected: ProviderError) async throws {
        await #expect(throws: expected) { try await call(.json(body)) }
    }

    @Test func `a query that Google can't read is refused, and OK without a place is not believed`()
        async throws
    {
        let refusal = try await call(.json(#"{"status": "INVALID_REQUEST"}"#))
        #expect(refusal.answers == [.refused(reason: "google answered INVALID_REQUEST")])
        await #expect(throws: ProviderError.self) { try await call(.json(#"{"status": "OK", "results": []}"#)) }
    }

    @Test(arguments: [
        ("RANGE_INTERPOLATED", "street_address", Precision.interpolated), ("GEOMETRIC_CENTER", "route", .street),
        ("GEOMETRIC_CENTER", "premise", .rooftop), ("APPROXIMATE", "postal_code", .postcode),
        ("APPROXIMATE", "locality", .city), ("APPROXIMATE", "administrative_area_level_1", .region),
        ("APPROXIMATE", "country", .country),
    ])
    func `the precision follows the location type and the place type`(
        location: String, type: String, expected: Precision
    ) async throws {
        let body = Self.place(#""types": ["\#(type)", "political"]"#, location: location)
        #expect(try await call(.json(body)).candidates.map(\.precision) == [expected])
    }

    @Test func `a partial match has half the score`() async throws {
        #expect(try await call(.json(recorded("google", "house"))).candidates.map(\.score) == [nil, 0.5])
    }

    private static func place(
        _ fields: String, location: String = "ROOFTOP", latitude: String = "1", longitude: String = "2"
    ) -> String {
        let geometry = #"{"location": {"lat": \#(latitude), "lng": \#(longitude)}, "location_type": "\#(location)"}"#
        return #"{"status": "OK", "results": [{"address_components": [], "geometry": \#(geometry), \#(fields)}]}"#
    }

    @discardableResult
    private func call(_ answer: ScriptedAnswer) async throws -> Conversation {
        try await Conversation(with: ShippedService.google.provider, answering: answer) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
    }
}
