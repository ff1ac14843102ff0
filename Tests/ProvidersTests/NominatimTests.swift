import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct NominatimTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        try await contract().check(trial)
    }

    @Test func `an unreachable server is an outage`() async throws {
        try await contract().checkNobodyListening()
    }

    private func contract() throws -> ProviderContract {
        let coordinate = try #require(Coordinate(latitude: 60.1687294, longitude: 24.9434411))
        let placemark = Placemark(
            coordinate: coordinate, name: "Marimekko", thoroughfare: "Aleksanterinkatu", subThoroughfare: "50",
            locality: "Helsinki", subLocality: "Kluuvi", postalCode: "00100", countryCode: "FI", countryName: "Suomi")
        return ProviderContract(
            make: { NominatimProvider(server: $0, language: "en", http: $1) },
            found: try recorded("nominatim", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json(try recorded("nominatim", "nothing")),
            bodyAt: { #"[{"lat": \#($0), "lon": \#($1), "address": {}}]"# })
    }

    @Test(arguments: [
        ("missing-house-number", Precision.street), ("postcode", .postcode), ("village", .city), ("country", .country),
    ])
    func `the precision is that of the result, not of the query`(name: String, expected: Precision) async throws {
        let candidates = try await call(answering: .json(recorded("nominatim", name))).candidates
        #expect(!candidates.isEmpty)
        #expect(candidates.allSatisfy { $0.precision == expected && $0.score == nil })
    }

    @Test(arguments: [("way", Precision.interpolated), ("node", .rooftop)])
    func `a house of the Census is interpolated`(kind: String, expected: Precision) async throws {
        let house = """
            [{"lat": "39.78", "lon": "-89.65", "category": "place", "type": "house", "osm_type": "\(kind)",
            "address": {"house_number": "12", "road": "Main Street"}}]
            """
        #expect(try await call(answering: .json(house)).candidates.map(\.precision) == [expected])
    }

    @Test func `a structured query sends each part under its name, and no blank one`() async throws {
        let request = try await call(answering: .json("[]")).request
        #expect(request.path == "/search")
        #expect(
            request.query == [
                "street": "Katu 1; 2, B", "city": "Espoo", "country": "Suomi", "countrycodes": "fi", "limit": "5",
                "format": "jsonv2", "addressdetails": "1", "accept-language": "fi",
            ])
    }

    @Test func `a free form query is one line`() async throws {
        let request = try await call(answering: .json("[]"), form: .freeForm).request
        #expect(request.query["q"] == "Katu 1; 2, B, Espoo, Suomi")
        #expect(request.query["street"] == nil)
    }

    @Test func `swapped degrees are not believed`() async throws {
        let swapped = #"[{"lat": "24.9", "lon": "60.1", "address": {}, "boundingbox": ["60.1","60.2","24.9","25"]}]"#
        await #expect(throws: ProviderError.self) { try await call(answering: .json(swapped)) }
    }

    @Test func `a point in the sea is not found, and another error is an outage`() async throws {
        let nothing = try await reverse(answering: .json(recorded("nominatim", "reverse-nothing")))
        #expect(nothing.answers == [.notFound])
        await #expect(throws: ProviderError.self) { try await reverse(answering: .json(#"{"error": "secret"}"#)) }
        let house = try await reverse(answering: .json(recorded("nominatim", "reverse")))
        #expect(house.candidates.first?.placemark.subThoroughfare == "48")
    }

    @Test func `an empty query is refused`() async throws {
        let talk = try await call(answering: .json(recorded("nominatim", "no-query"), status: 400))
        #expect(talk.answers == [.refused(reason: "nominatim answered 400")])
    }

    @discardableResult
    private func call(answering answer: ScriptedAnswer, form: Query.Form = .structured) async throws -> Conversation {
        try await Conversation(with: provider, answering: answer) {
            try await $0.geocode([Query(.spread, form: form)])
        }
    }

    @discardableResult
    private func reverse(answering answer: ScriptedAnswer) async throws -> Conversation {
        let coordinate = try #require(Coordinate(latitude: 60.16866, longitude: 24.94463))
        return try await Conversation(with: provider, answering: answer) {
            try await $0.reverseGeocode([coordinate])
        }
    }

    private func provider(_ server: HTTPURL, _ http: HTTPClient) -> NominatimProvider {
        NominatimProvider(server: server, language: "fi", http: http)
    }
}
