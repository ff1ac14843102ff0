import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct GeocodioTests {
    private static let overQuota =
        #"{"error": "You can't make this request as it is above your daily maximum. You can configure billing"}"#

    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 38.886665, longitude: -77.094733))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "N Linden St", subThoroughfare: "12", locality: "Sampleville",
            administrativeArea: "VA", subAdministrativeArea: "Sample County", postalCode: "22999", countryCode: "US",
            countryName: "United States")
        try await ProviderContract(
            make: { GeocodioProvider(key: "secret", http: $1, server: $0) },
            found: try recorded("geocodio", "batch"), candidate: Candidate(placemark, .rooftop, score: 0.98),
            notFound: .json(#"{"results": [{"query": "", "response": {"results": []}}]}"#),
            bodyAt: { Self.replies([Self.place(latitude: $0, longitude: $1)]) },
            quota: .json(Self.overQuota, status: 403)
        ).check(trial)
    }

    @Test func `a batch is one call, with the key in a header and each address in its form`() async throws {
        let queries = [Query(.spread), Query(.spread, form: .freeForm)]
        let talk = try await call(queries, answering: Self.replies([Self.place(), #"{"error": "Could not geocode"}"#]))
        let request = try talk.request
        #expect(talk.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.path == "/geocode")
        #expect(request.query == ["limit": "5"])
        #expect(request.headers["authorization"] == "Bearer secret")
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.hasSuffix(#","Katu 1; 2, B, Espoo, Suomi"]"#))
        for part in [#""street":"Katu 1; 2 B""#, #""city":"Espoo""#, #""country":"Suomi""#] {
            #expect(body.contains(part))
        }
        #expect(!body.contains("state"))
        #expect(talk.answers.count == 2)
        #expect(talk.answers.last == .notFound)
    }

    @Test(arguments: [("U.S.A.", "USA"), ("ca", "Canada"), ("México", "Mexico"), ("Atlantis", "Atlantis")])
    func `a country is sent by Geocodio's name for it`(written: String, sent: String) async throws {
        let query = Query(Address(city: "Sampleville", country: written))
        let request = try await call([query], answering: Self.replies([Self.place()])).request
        #expect(String(decoding: request.body, as: UTF8.self).contains(#""country":"\#(sent)""#))
    }

    @Test func `coordinates are sent in one call`() async throws {
        let places = [try #require(Coordinate(latitude: 38.5, longitude: -77.5))]
        let talk = try await Conversation(with: provider, answering: .json(Self.replies([Self.place()]))) {
            try await $0.reverseGeocode(places)
        }
        #expect(try talk.request.path == "/reverse")
        #expect(try String(decoding: talk.request.body, as: UTF8.self) == #"["38.5,-77.5"]"#)
        #expect(talk.candidates.count == 1)
    }

    @Test func `a blank address in a batch is refused, and the others get their answers`() async throws {
        let talk = try await call(
            [Query(Address()), Query(.spread), Query(Address(city: " "))], answering: Self.replies([Self.place()]))
        guard case .refused = talk.answers[0], case .found = talk.answers[1], case .refused = talk.answers[2] else {
            Issue.record("\(talk.answers.count) answers, not in the order of the queries")
            return
        }
        #expect(try await call([Query(Address())], answering: "").requests.isEmpty)
    }

    @Test func `a reply with fewer answers than queries is not believed`() async throws {
        await #expect(throws: ProviderError.self) {
            try await call([Query(.spread), Query(.spread)], answering: Self.replies([Self.place()]))
        }
        await #expect(throws: ProviderError.self) { try await call([Query(.spread)], answering: Self.replies(["{}"])) }
    }

    @Test func `an error in one answer refuses only its address`() async throws {
        let talk = try await call(
            [Query(.spread), Query(.spread)], answering: Self.replies([#"{"error": "secret"}"#, Self.place()]))
        #expect(talk.answers.first == .refused(reason: "geocodio can't read an address"))
        guard case .found = talk.answers.last else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    @Test func `a refusal of a whole batch refuses none of its addresses`() async throws {
        await #expect(throws: ProviderError.unavailable(reason: "geocodio refused a whole batch")) {
            try await Conversation(with: provider, answering: .status(422)) {
                try await $0.geocode([Query(.spread), Query(.spread)])
            }
        }
    }

    @Test(arguments: [
        ("range_interpolation", Precision.interpolated), ("point", .interpolated),
        ("nearest_rooftop_match", .interpolated),
        ("street_center", .street), ("place", .city), ("county", .region), ("something new", .region),
    ])
    func `the precision follows the accuracy type`(type: String, expected: Precision) async throws {
        let talk = try await call([Query(.spread)], answering: Self.replies([Self.place(type: type)]))
        #expect(talk.candidates.map(\.precision) == [expected])
    }

    private static func place(type: String = "rooftop", latitude: String = "1", longitude: String = "2") -> String {
        let location = #"{"lat": \#(latitude), "lng": \#(longitude)}"#
        return #"{"results": [{"address_components": {}, "location": \#(location), "accuracy_type": "\#(type)"}]}"#
    }

    private static func replies(_ responses: [String]) -> String {
        let items = responses.map { #"{"query": "", "response": \#($0)}"# }.joined(separator: ", ")
        return #"{"results": [\#(items)]}"#
    }

    private func provider(_ server: HTTPURL, _ http: HTTPClient) -> GeocodioProvider {
        GeocodioProvider(key: "secret", http: http, server: server)
    }

    @discardableResult
    private func call(_ queries: [Query], answering body: String) async throws -> Conversation {
        try await Conversation(with: provider, answering: .json(body)) { try await $0.geocode(queries) }
    }
}
