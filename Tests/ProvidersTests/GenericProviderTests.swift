import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct GenericProviderTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `a described Nominatim keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 60.1687294, longitude: 24.9434411))
        let placemark = Placemark(
            coordinate: coordinate, name: "Marimekko", thoroughfare: "Aleksanterinkatu", subThoroughfare: "50",
            locality: "Helsinki", subLocality: "Kluuvi", postalCode: "00100", countryCode: "FI", countryName: "Suomi")
        let text = try recorded("descriptions", "nominatim")
        try await ProviderContract(
            make: { described(text, $0, $1) },
            found: try recorded("nominatim", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json("[]"), bodyAt: { #"[{"lat": \#($0), "lon": \#($1)}]"# }
        ).check(trial)
    }

    /// Photon's 403 has another meaning, so that trial is left out.
    @Test(arguments: ProviderContract.Trial.all.filter { $0.name != "403" })
    func `a described Photon keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 60.1698765, longitude: 24.9512345))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Koivukatu", subThoroughfare: "12", locality: "Kuusela",
            subLocality: "Itäpuoli", administrativeArea: "Etelä-Suomi", subAdministrativeArea: "Metsämaa",
            postalCode: "00999", countryCode: "FI", countryName: "Finland")
        let text = try recorded("descriptions", "photon")
        try await ProviderContract(
            make: { described(text, $0, $1) },
            found: try recorded("photon", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .status(404),
            bodyAt: { #"{"features": [{"geometry": {"coordinates": [\#($1), \#($0)]}}]}"# }, quota: .status(403)
        ).check(trial)
    }

    @Test func `blank parts drop their query items, and values are encoded`() async throws {
        let request = try await call("nominatim", .json("[]")) { try await $0.geocode([Query(.spread)]) }.request
        #expect(request.target.contains("street=Katu%201%3B%202%2C%20B&city=Espoo&country=Suomi&"))
        #expect(
            request.query == [
                "street": "Katu 1; 2, B", "city": "Espoo", "country": "Suomi", "countrycodes": "FI",
                "format": "jsonv2", "addressdetails": "1", "limit": "5",
            ])
    }

    @Test func `the key is sent in the described header`() async throws {
        let request = try await call("photon", .json(#"{"features": []}"#)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }.request
        #expect(request.query["q"] == Query(.spread).line)
        #expect(request.headers["x-key"] == "Token secret")
    }

    @Test func `a reverse query is sent as described, and a single place needs no list`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: 24.25))
        let found = try await call("nominatim", .json(recorded("nominatim", "reverse"))) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(try found.request.query == ["lat": "60.5", "lon": "24.25", "format": "jsonv2"])
        #expect(found.candidates.first?.placemark.subThoroughfare == "48")
        let nothing = try await call("nominatim", .json(recorded("nominatim", "reverse-nothing"))) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(nothing.answers == [.notFound])
    }

    @Test func `a score is a fraction of the largest one, and at most 1`() async throws {
        let place = #"{"geometry": {"coordinates": [1, 2]}, "properties": {"trust": "#
        let body = #"{"features": [\#(place)7}}, \#(place)11}}, \#(place)"NaN"}}]}"#
        let talk = try await call("photon", .json(body)) { try await $0.geocode([Query(.spread, form: .freeForm)]) }
        #expect(talk.candidates.map(\.score) == [0.7, 1, nil])
    }

    @Test(arguments: [
        (#"{"results": [{"at": [2, 1]}]}"#, "found"), (#"{"results": []}"#, "notFound"),
        (#"{"results": [{"at": []}]}"#, "unavailable"), ("{}", "unavailable"),
    ])
    func `without a list there is one candidate, and an empty list has none`(
        body: String, expected: String
    ) async throws {
        let text = """
            {"name": "one", "search": "SERVER/?q={line}", "latitude": "results.0.at.1", "longitude": "results.0.at.0",
             "precision": {"otherwise": "city"}, "storage": "session"}
            """
        let outcome: String
        do {
            let talk = try await Conversation(with: { described(text, $0, $1) }, answering: .json(body)) {
                try await $0.geocode([Query(.spread, form: .freeForm)])
            }
            outcome = talk.answers == [.notFound] ? "notFound" : talk.candidates.count == 1 ? "found" : "else"
        } catch ProviderError.unavailable {
            outcome = "unavailable"
        }
        #expect(outcome == expected)
    }

    private func call(
        _ name: String, _ answer: ScriptedAnswer, _ body: (GenericProvider) async throws -> [Answer]
    ) async throws -> Conversation {
        let text = try recorded("descriptions", name)
        return try await Conversation(with: { described(text, $0, $1) }, answering: answer, body)
    }
}

/// A provider for a description in which `own` stands for the address of the server.
private func described(
    _ text: String, _ url: HTTPURL, _ client: HTTPClient, own: [String] = ["SERVER"]
) -> GenericProvider {
    let server = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
    let json = own.reduce(text) { $0.replacing($1, with: server) }
    do {
        return GenericProvider(try GenericProvider.Description(json: Array(json.utf8), key: "secret"), http: client)
    } catch {
        preconditionFailure("\(error)")
    }
}

extension ShippedService {
    /// The provider with the key "secret", and another server.
    func provider(at server: HTTPURL, _ client: HTTPClient) -> GenericProvider {
        let own =
            switch self {
            case .google: ["https://maps.googleapis.com/maps/api"]
            case .opencage: ["https://api.opencagedata.com"]
            case .geoapify: ["https://api.geoapify.com"]
            case .locationiq: ["https://us1.locationiq.com"]
            case .here: ["https://geocode.search.hereapi.com/v1", "https://revgeocode.search.hereapi.com/v1"]
            }
        return described(String(decoding: json, as: UTF8.self), server, client, own: own)
    }
}
