import Geocoding
import HTTPTesting
import Testing

@testable import Providers

struct HereTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 48.86926, longitude: 11.3321))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Lindenweg", subThoroughfare: "12", locality: "Musterstadt",
            subLocality: "Altstadt", administrativeArea: "Bayern", subAdministrativeArea: "Musterkreis",
            postalCode: "98765", countryCode: "DE", countryName: "Deutschland")
        try await ProviderContract(
            make: ShippedService.here.provider,
            found: try recorded("here", "house"), candidate: Candidate(placemark, .rooftop, score: 0.97),
            notFound: .json(#"{"items": []}"#),
            bodyAt: { #"{"items": [{"address": {}, "position": {"lat": \#($0), "lng": \#($1)}}]}"# }
        ).check(trial)
    }

    @Test func `a structured query separates its parts by semicolons and removes those within`() async throws {
        let request = try await call("").request
        #expect(request.path == "/geocode")
        #expect(
            request.query == [
                "qq": "street=Katu 1 2 B;city=Espoo;country=Finland", "limit": "5", "apiKey": "secret",
            ])
    }

    @Test func `a free form query is one line`() async throws {
        let request = try await call("", form: .freeForm).request
        #expect(request.query == ["q": Query(.spread).line, "limit": "5", "apiKey": "secret"])
    }

    @Test func `a reverse query goes to the other server`() async throws {
        let place = try #require(Coordinate(latitude: 60.5, longitude: -24.5))
        let talk = try await Conversation(with: ShippedService.here.provider, answering: .json(#"{"items": []}"#)) {
            try await $0.reverseGeocode([place])
        }
        #expect(
            String(decoding: ShippedService.here.json, as: UTF8.self).contains(
                "https://revgeocode.search.hereapi.com/v1/revgeocode"))
        #expect(try talk.request.path == "/revgeocode")
        #expect(try talk.request.query == ["at": "60.5,-24.5", "apiKey": "secret"])
        #expect(talk.answers == [.notFound])
    }

    @Test(arguments: [
        (#""resultType": "houseNumber", "houseNumberType": "interpolated""#, Precision.interpolated),
        (#""resultType": "houseNumber", "houseNumberType": "PA", "houseNumberFallback": true"#, .interpolated),
        (#""resultType": "houseNumber", "houseNumberType": "PA", "estimatedPointAddress": true"#, .interpolated),
        (#""resultType": "street""#, .street), (#""resultType": "postalCodePoint""#, .postcode),
        (#""resultType": "locality", "localityType": "postalCode""#, .postcode),
        (#""resultType": "locality", "localityType": "city""#, .city),
        (#""resultType": "administrativeArea", "administrativeAreaType": "state""#, .region),
        (#""resultType": "administrativeArea", "administrativeAreaType": "country""#, .country),
        (#""resultType": "something new""#, .region),
    ])
    func `the precision follows the type of the result`(fields: String, expected: Precision) async throws {
        let item = #"{"address": {}, "position": {"lat": 1, "lng": 2}, \#(fields)}"#
        #expect(try await call(item).candidates.map(\.precision) == [expected])
    }

    private func call(_ items: String, form: Query.Form = .structured) async throws -> Conversation {
        try await Conversation(
            with: ShippedService.here.provider, answering: .json(#"{"items": [\#(items)]}"#)
        ) {
            try await $0.geocode([Query(.spread, form: form)])
        }
    }
}
