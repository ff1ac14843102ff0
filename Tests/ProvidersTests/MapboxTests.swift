import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct MapboxTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 48.17, longitude: 11.39))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Lindenweg", subThoroughfare: "12", locality: "Musterstadt",
            subLocality: "Altstadt", administrativeArea: "Bayern", subAdministrativeArea: "Musterkreis",
            postalCode: "98765", countryCode: "DE", countryName: "Germany")
        try await ProviderContract(
            make: { MapboxProvider(key: "secret", permanent: true, http: $1, server: $0) },
            found: try recorded("mapbox", "house"), candidate: Candidate(placemark, .rooftop, score: 0.9),
            notFound: .json(#"{"type": "FeatureCollection", "features": []}"#),
            bodyAt: { #"{"features": [{"properties": {"coordinates": {"latitude": \#($0), "longitude": \#($1)}}}]}"# }
        ).check(trial)
    }

    @Test func `a structured query sends each part under its name, without semicolons`() async throws {
        let request = try await call("").request
        #expect(request.path == "/forward")
        #expect(
            request.query == [
                "address_line1": "Katu 1 2 B", "place": "Espoo", "country": "FI", "limit": "5",
                "autocomplete": "false", "permanent": "false", "access_token": "secret",
            ])
    }

    @Test func `a free form query is one line limited to its country`() async throws {
        let request = try await call("", form: .freeForm).request
        #expect(request.query["q"] == "Katu 1 2, B, Espoo, Suomi")
        #expect(request.query["country"] == "FI")
        #expect(request.query["address_line1"] == nil)
    }

    @Test func `only a permanent answer may be kept`() async throws {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let storage = [true, false].map { MapboxProvider(key: "", permanent: $0, http: client).terms.storage }
        #expect(storage == [.unlimited, .session])
        await client.close()
        #expect(try await call("", permanent: true).request.query["permanent"] == "true")
    }

    @Test func `a reverse query has latitude and longitude`() async throws {
        let place = try #require(Coordinate(latitude: 60.5, longitude: -24.5))
        let talk = try await Conversation(
            with: { MapboxProvider(key: "secret", permanent: true, http: $1, server: $0) },
            answering: .json(#"{"features": []}"#)
        ) {
            try await $0.reverseGeocode([place])
        }
        #expect(try talk.request.path == "/reverse")
        #expect(
            try talk.request.query == [
                "longitude": "-24.5", "latitude": "60.5", "permanent": "true", "access_token": "secret",
            ])
        #expect(talk.answers == [.notFound])
    }

    @Test(arguments: [
        ("address", "parcel", Precision.rooftop), ("address", "interpolated", .interpolated),
        ("address", "approximate", .street), ("street", "", .street), ("postcode", "", .postcode),
        ("locality", "", .city), ("region", "", .region), ("country", "", .country), ("something new", "", .region),
    ])
    func `the precision follows the type, and for an address its accuracy`(
        type: String, accuracy: String, expected: Precision
    ) async throws {
        let coordinates = #"{"latitude": 1, "longitude": 2, "accuracy": "\#(accuracy)"}"#
        let feature = #"{"properties": {"feature_type": "\#(type)", "coordinates": \#(coordinates)}}"#
        #expect(try await call(feature).candidates.map(\.precision) == [expected])
    }

    @Test(arguments: [("exact", 1), ("high", 0.9), ("medium", 0.6), ("low", 0.3), ("something new", nil)])
    func `a confidence in words becomes a number`(word: String, expected: Double?) async throws {
        let position = #""coordinates": {"latitude": 1, "longitude": 2}"#
        let feature = #"{"properties": {\#(position), "match_code": {"confidence": "\#(word)"}}}"#
        #expect(try await call(feature).candidates.map(\.score) == [expected])
    }

    private func call(
        _ features: String, form: Query.Form = .structured, permanent: Bool = false
    ) async throws -> Conversation {
        try await Conversation(
            with: { MapboxProvider(key: "secret", permanent: permanent, http: $1, server: $0) },
            answering: .json(#"{"features": [\#(features)]}"#)
        ) {
            try await $0.geocode([Query(.spread, form: form)])
        }
    }
}
