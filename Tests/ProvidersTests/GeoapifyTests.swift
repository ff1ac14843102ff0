import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct GeoapifyTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 60.1698765, longitude: 24.9512345))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Koivukatu", subThoroughfare: "12", locality: "Kuusela",
            subLocality: "Lehto", administrativeArea: "Etelä-Suomi", subAdministrativeArea: "Metsämaa",
            postalCode: "00999", countryCode: "FI", countryName: "Finland")
        try await ProviderContract(
            make: ShippedService.geoapify.provider,
            found: try recorded("geoapify", "house"), candidate: Candidate(placemark, .rooftop, score: 0.75),
            notFound: .json(#"{"results": [], "query": {}}"#),
            bodyAt: { #"{"results": [{"lat": \#($0), "lon": \#($1)}]}"# }
        ).check(trial)
    }

    @Test func `a search is one line, limited to the country`() async throws {
        let request = try await Conversation(
            with: ShippedService.geoapify.provider, answering: .json(#"{"results": []}"#)
        ) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }.request
        #expect(request.path == "/v1/geocode/search")
        #expect(
            request.query == [
                "text": Query(.spread).line, "filter": "countrycode:fi", "limit": "5", "format": "json",
                "apiKey": "secret",
            ])
    }

    @Test func `a reverse query has latitude and longitude`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: 24.25))
        let talk = try await Conversation(
            with: ShippedService.geoapify.provider, answering: .json(recorded("geoapify", "house"))
        ) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(try talk.request.path == "/v1/geocode/reverse")
        #expect(
            try talk.request.query == [
                "lat": "60.5", "lon": "24.25", "limit": "1", "format": "json", "apiKey": "secret",
            ])
        #expect(talk.candidates.first?.placemark.subThoroughfare == "12")
    }

    @Test(arguments: [
        ("amenity", Precision.rooftop), ("street", .street), ("postcode", .postcode), ("suburb", .city),
        ("county", .region), ("unknown", .country),
    ])
    func `the precision follows the type of the result`(kind: String, expected: Precision) async throws {
        let body = #"{"results": [{"lat": 1, "lon": 2, "result_type": "\#(kind)"}]}"#
        let talk = try await Conversation(with: ShippedService.geoapify.provider, answering: .json(body)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
        #expect(talk.candidates.first?.precision == expected)
    }
}
