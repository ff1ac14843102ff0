import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct LocationIQTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        let coordinate = try #require(Coordinate(latitude: 60.1698765, longitude: 24.9512345))
        let placemark = Placemark(
            coordinate: coordinate, thoroughfare: "Koivukatu", subThoroughfare: "12", locality: "Kuusela",
            subLocality: "Lehto", administrativeArea: "Etelä-Suomi", subAdministrativeArea: "Metsämaa",
            postalCode: "00999", countryCode: "FI", countryName: "Finland")
        try await ProviderContract(
            make: ShippedService.locationiq.provider,
            found: try recorded("locationiq", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json(#"{"error": "Unable to geocode"}"#, status: 404),
            bodyAt: { #"[{"lat": \#($0), "lon": \#($1), "address": {}}]"# },
            quota: .json(#"{"error": "Rate Limited Day"}"#, status: 429)
        ).check(trial)
    }

    @Test func `404 without the sentence for no result means a wrong server address`() async throws {
        await #expect(throws: ProviderError.unavailable(reason: "locationiq answered 404")) {
            try await Conversation(
                with: ShippedService.locationiq.provider,
                answering: .json(#"{"error": "Imagery not found"}"#, status: 404)
            ) {
                try await $0.geocode([Query(.spread, form: .freeForm)])
            }
        }
    }

    @Test func `exceeding the calls per second is not a used-up quota`() async throws {
        await #expect(throws: ProviderError.busy(retryAfter: .seconds(60))) {
            let answer = ScriptedAnswer.json(#"{"error": "Rate Limited Second"}"#, status: 429)
            _ = try await Conversation(with: ShippedService.locationiq.provider, answering: answer) {
                try await $0.geocode([Query(.spread, form: .freeForm)])
            }
        }
    }

    @Test func `swapped degrees are not believed`() async throws {
        let swapped = #"[{"lat": "24.9", "lon": "60.1", "address": {}, "boundingbox": ["60.1","60.2","24.9","25"]}]"#
        await #expect(throws: ProviderError.self) {
            try await Conversation(with: ShippedService.locationiq.provider, answering: .json(swapped)) {
                try await $0.geocode([Query(.spread, form: .freeForm)])
            }
        }
    }

    @Test func `a structured query sends each part under its name, and no blank one`() async throws {
        let request = try await Conversation(with: ShippedService.locationiq.provider, answering: .json("[]")) {
            try await $0.geocode([Query(.spread)])
        }.request
        #expect(request.path == "/v1/search/structured")
        #expect(
            request.query == [
                "street": "Katu 1; 2, B", "city": "Espoo", "country": "Suomi", "countrycodes": "fi", "limit": "5",
                "matchquality": "1", "format": "json", "addressdetails": "1", "key": "secret",
            ])
    }

    @Test func `a free form query is one line`() async throws {
        let request = try await Conversation(with: ShippedService.locationiq.provider, answering: .json("[]")) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }.request
        #expect(request.path == "/v1/search")
        #expect(request.query["q"] == Query(.spread).line)
    }

    @Test func `a reverse result has the precision of its finest part`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: 24.25))
        let body = #"{"lat": "60.5", "lon": "24.25", "address": {"road": "Koivukatu", "city": "Kuusela"}}"#
        let talk = try await Conversation(with: ShippedService.locationiq.provider, answering: .json(body)) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(try talk.request.path == "/v1/reverse")
        #expect(try talk.request.query["lat"] == "60.5" && talk.request.query["lon"] == "24.25")
        #expect(talk.candidates.first?.precision == .street)
    }

    @Test(arguments: [
        (#""matchtype": "interpolated", "matchlevel": "building""#, Precision.interpolated),
        (#""matchlevel": "street""#, .street), (#""matchlevel": "postalcode""#, .postcode),
        (#""matchlevel": "borough""#, .city), (#""matchlevel": "county""#, .region),
        (#""matchlevel": "marine""#, .country),
    ])
    func `the precision follows the match`(quality: String, expected: Precision) async throws {
        let body = #"[{"lat": 1, "lon": 2, "address": {"house_number": "1"}, "matchquality": {\#(quality)}}]"#
        let talk = try await Conversation(with: ShippedService.locationiq.provider, answering: .json(body)) {
            try await $0.geocode([Query(.spread, form: .freeForm)])
        }
        #expect(talk.candidates.first?.precision == expected)
    }
}
