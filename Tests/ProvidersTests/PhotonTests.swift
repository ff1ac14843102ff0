import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct PhotonTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 60.1698765, longitude: 24.9512345))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Koivukatu", subThoroughfare: "12", locality: "Kuusela",
            subLocality: "Itäpuoli", administrativeArea: "Etelä-Suomi", subAdministrativeArea: "Metsämaa",
            postalCode: "00999", countryCode: "FI", countryName: "Finland")
        try await ProviderContract(
            make: { PhotonProvider(server: $0, http: $1) },
            found: try recorded("photon", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json(#"{"type": "FeatureCollection", "features": []}"#),
            bodyAt: { #"{"features": [{"geometry": {"coordinates": [\#($1), \#($0)]}, "properties": {}}]}"# }
        ).check(trial)
    }

    @Test func `a search is one line, limited to the country`() async throws {
        let request = try await Conversation(with: provider, answering: .json(#"{"features": []}"#)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }.request
        #expect(request.path == "/api")
        #expect(request.query == ["q": Query(.spread).line, "countrycode": "FI", "limit": "5", "lang": "de"])
    }

    @Test func `a reverse query has latitude and longitude`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: 24.25))
        let talk = try await Conversation(with: provider, answering: .json(recorded("photon", "house"))) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(try talk.request.path == "/reverse")
        #expect(try talk.request.query == ["lat": "60.5", "lon": "24.25", "limit": "1", "lang": "de"])
        #expect(talk.candidates.first?.placemark.subThoroughfare == "12")
    }

    @Test(arguments: [
        (#""type": "street", "name": "Here""#, Precision.street, \Placemark.thoroughfare),
        (#""type": "city", "name": "Here""#, .city, \.locality),
        (#""type": "district", "name": "Here""#, .city, \.subLocality),
        (#""type": "state", "name": "Here""#, .region, \.administrativeArea),
        (#""type": "country", "name": "Here""#, .country, \.countryName),
        (#""type": "other", "osm_key": "place", "osm_value": "postcode", "name": "Here""#, .postcode, \.postalCode),
        (#""osm_key": "place", "osm_value": "village", "name": "Here""#, .city, \.locality),
        (#""osm_key": "natural", "osm_value": "peak", "name": "Here""#, .region, \.name),
    ])
    func `a place's name is put into the field of its kind`(
        properties: String, precision: Precision, field: any KeyPath<Placemark, String?> & Sendable
    ) async throws {
        let body = #"{"features": [{"geometry": {"coordinates": [1, 2]}, "properties": {\#(properties)}}]}"#
        let talk = try await Conversation(with: provider, answering: .json(body)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
        #expect(talk.candidates.first?.precision == precision)
        let placemark = try #require(talk.candidates.first?.placemark)
        #expect(placemark[keyPath: field] == "Here")
        #expect((placemark.locality == nil) == (field != \Placemark.locality))
    }

    private func provider(_ url: HTTPURL, _ client: HTTPClient) -> PhotonProvider {
        PhotonProvider(server: url, language: "de", http: client)
    }
}
