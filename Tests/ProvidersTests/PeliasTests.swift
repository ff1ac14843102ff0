import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct PeliasTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
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
        let (_, request) = try await exchange(.json(#"{"features": []}"#), with: keyed) {
            try await $0.geocode([.spread(.structured)])
        }
        #expect(request.path == "/v1/search/structured")
        #expect(
            request.query == [
                "address": "Katu 1, B", "locality": "Espoo", "country": "FI", "size": "5", "api_key": "secret",
            ])
    }

    @Test func `a free form query is one line, within the country`() async throws {
        let (_, request) = try await exchange(.json(#"{"features": []}"#), with: keyless) {
            try await $0.geocode([.spread(.freeForm)])
        }
        #expect(request.path == "/v1/search")
        #expect(request.query == ["text": Query.spread(.freeForm).line, "boundary.country": "FI", "size": "5"])
    }

    @Test func `a coordinate is asked for with its two numbers`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: 24.25))
        let (answer, request) = try await exchange(.json(recorded("pelias", "house")), with: keyless) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(request.path == "/v1/reverse")
        #expect(request.query == ["point.lat": "60.5", "point.lon": "24.25", "size": "1"])
        #expect(answer.candidates.first?.placemark.subThoroughfare == "12")
    }

    @Test func `403 is the end of the month's calls with a key, and a closed door without`() async throws {
        await #expect(throws: ProviderError.quotaExhausted(resetIn: .seconds(3_600))) {
            try await exchange(.status(403), with: keyed) { try await $0.geocode([.spread(.freeForm)]) }
        }
        await #expect(throws: ProviderError.unauthorized(reason: "pelias answered 403")) {
            try await exchange(.status(403), with: keyless) { try await $0.geocode([.spread(.freeForm)]) }
        }
    }

    @Test(arguments: [
        (#""layer": "address", "match_type": "interpolated""#, Precision.interpolated),
        (#""layer": "address", "accuracy": "centroid""#, .street), (#""layer": "venue""#, .rooftop),
        (#""layer": "street""#, .street), (#""layer": "postalcode""#, .postcode), (#""layer": "borough""#, .city),
        (#""layer": "macroregion""#, .region), (#""layer": "ocean""#, .country),
    ])
    func `precision is that of the layer`(properties: String, expected: Precision) async throws {
        let body = #"{"features": [{"geometry": {"coordinates": [1, 2]}, "properties": {\#(properties)}}]}"#
        let (answer, _) = try await exchange(.json(body), with: keyless) {
            try await $0.geocode([.spread(.freeForm)])
        }
        #expect(answer.candidates.first?.precision == expected)
    }

    private func keyed(_ url: HTTPURL, _ client: HTTPClient) -> PeliasProvider {
        PeliasProvider(server: url, key: "secret", http: client)
    }

    private func keyless(_ url: HTTPURL, _ client: HTTPClient) -> PeliasProvider {
        PeliasProvider(server: url, key: nil, http: client)
    }
}
