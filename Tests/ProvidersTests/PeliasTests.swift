import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct PeliasTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 60.1698765, longitude: 24.9512345))
        let placemark = Placemark(
            coordinate: coordinate, name: "Koivukatu 12", thoroughfare: "Koivukatu", subThoroughfare: "12",
            locality: "Kuusela", subLocality: "Lehto", administrativeArea: "Etelä-Suomi",
            subAdministrativeArea: "Metsämaa", postalCode: "00999", countryCode: "FI", countryName: "Finland")
        try await ProviderContract(
            make: { PeliasProvider(server: $0, key: nil, http: $1) },
            found: try recorded("pelias", "house"), candidate: Candidate(placemark, .rooftop, score: 0.9),
            notFound: .json(#"{"geocoding": {}, "type": "FeatureCollection", "features": []}"#),
            bodyAt: { #"{"features": [{"geometry": {"coordinates": [\#($1), \#($0)]}, "properties": {}}]}"# }
        ).check(trial)
    }

    @Test func `a structured query sends each part under its name, and no blank one`() async throws {
        let request = try await Conversation(with: keyed, answering: .json(#"{"features": []}"#)) {
            try await $0.geocode([Query(.spread)])
        }.request
        #expect(request.path == "/v1/search/structured")
        #expect(
            request.query == [
                "address": "Katu 1; 2, B", "locality": "Espoo", "country": "FI", "size": "5", "api_key": "secret",
            ])
    }

    @Test func `a free form query is one line, limited to the country`() async throws {
        let request = try await Conversation(with: keyless, answering: .json(#"{"features": []}"#)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }.request
        #expect(request.path == "/v1/search")
        #expect(request.query == ["text": Query(.spread).line, "boundary.country": "FI", "size": "5"])
    }

    @Test func `a reverse query has latitude and longitude`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: 24.25))
        let talk = try await Conversation(with: keyless, answering: .json(recorded("pelias", "house"))) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(try talk.request.path == "/v1/reverse")
        #expect(try talk.request.query == ["point.lat": "60.5", "point.lon": "24.25", "size": "1"])
        #expect(talk.candidates.first?.placemark.subThoroughfare == "12")
    }

    @Test func `with a key, 403 is a used-up quota, and without one it is a refusal`() async throws {
        await #expect(throws: ProviderError.quotaExhausted(resetIn: .seconds(3_600))) {
            try await Conversation(with: keyed, answering: .status(403)) {
                try await $0.geocode([Query(.spread, form: .freeForm)])
            }
        }
        await #expect(throws: ProviderError.unauthorized(reason: "pelias answered 403")) {
            try await Conversation(with: keyless, answering: .status(403)) {
                try await $0.geocode([Query(.spread, form: .freeForm)])
            }
        }
    }

    @Test(arguments: [
        (#""layer": "address", "match_type": "interpolated""#, Precision.interpolated),
        (#""layer": "address", "accuracy": "centroid""#, .street), (#""layer": "venue""#, .rooftop),
        (#""layer": "street""#, .street), (#""layer": "postalcode""#, .postcode), (#""layer": "borough""#, .city),
        (#""layer": "macroregion""#, .region), (#""layer": "ocean""#, .country),
    ])
    func `the precision follows the layer`(properties: String, expected: Precision) async throws {
        let body = #"{"features": [{"geometry": {"coordinates": [1, 2]}, "properties": {\#(properties)}}]}"#
        let talk = try await Conversation(with: keyless, answering: .json(body)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
        #expect(talk.candidates.first?.precision == expected)
    }

    @Test(arguments: [
        (#""country_a": "FIN""#, "FI"), (#""country_a": "fi", "country": "Finland""#, "FI"),
        (#""country_code": "fi", "country_a": "FIN""#, "FI"), (#""country": "Suomi""#, "FI"),
        (#""dependency": "Puerto Rico", "dependency_a": "PRI""#, "PR"), (#""country_a": "???""#, nil),
    ])
    func `the country is read from whichever field has it`(properties: String, expected: String?) async throws {
        let body = #"{"features": [{"geometry": {"coordinates": [1, 2]}, "properties": {\#(properties)}}]}"#
        let talk = try await Conversation(with: keyless, answering: .json(body)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
        let placemark = try #require(talk.candidates.first?.placemark)
        #expect(placemark.countryCode == expected)
        #expect(placemark.problems.contains(.unknownCountryCode) == false)
    }

    private func keyed(_ url: HTTPURL, _ client: HTTPClient) -> PeliasProvider {
        PeliasProvider(server: url, key: "secret", http: client)
    }

    private func keyless(_ url: HTTPURL, _ client: HTTPClient) -> PeliasProvider {
        PeliasProvider(server: url, key: nil, http: client)
    }
}
