import ExtremesTesting
import Geocoding
import HTTPTesting
import Processes
import Testing

@testable import Providers

struct AppleMapsTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        try await contract().check(trial)
    }

    @Test func `an unreachable server is an outage`() async throws {
        try await contract().checkNobodyListening()
    }

    private func contract() throws -> ProviderContract {
        let coordinate = try #require(Coordinate(latitude: 37.4443, longitude: -122.1598))
        let placemark = Placemark(
            coordinate: coordinate, name: "301 Hamilton Ave", thoroughfare: "Hamilton Ave", subThoroughfare: "301",
            locality: "Palo Alto", subLocality: "Downtown", administrativeArea: "California",
            subAdministrativeArea: "Santa Clara County", postalCode: "94301", countryCode: "US",
            countryName: "United States")
        let account = try AppleMapsAccount(key: TestKey("P-256").pem, keyID: "secret", team: "secret")
        return ProviderContract(
            make: {
                let token = SharedToken(SharedToken.Token(text: "secret", end: .max), now: { 0 })
                return AppleMapsProvider(account: account, token: token, language: "en-US", http: $1, server: $0)
            },
            found: try recorded("apple", "house"), candidate: Candidate(placemark, .rooftop),
            notFound: .json(try recorded("apple", "nothing")),
            bodyAt: { #"{"results": [{"coordinate": {"latitude": \#($0), "longitude": \#($1)}}]}"# })
    }

    @Test(arguments: [("house", Precision.rooftop), ("town", .city), ("postcode", .postcode)])
    func `the precision is that of the finest part returned`(name: String, expected: Precision) async throws {
        let talk = try await call(.json(recorded("apple", name))) { try await $0.geocode([query]) }
        #expect(talk.candidates.map(\.precision) == [expected])
    }

    @Test func `a call has the access token and the address on one line`() async throws {
        let requests = try await call(.json(#"{"results": []}"#)) { try await $0.geocode([query, query]) }.requests
        #expect(requests.map(\.path) == ["/v1/token", "/v1/geocode", "/v1/geocode"])
        #expect(requests[0].headers["authorization"]?.hasPrefix("Bearer ey") == true)
        #expect(requests[1].headers["authorization"] == "Bearer access 1")
        #expect(
            requests[1].query == ["q": "Katu 1, Espoo, Finland", "limitToCountries": "FI", "lang": "fi-FI"])
    }

    @Test func `a reverse query has the latitude first`() async throws {
        let coordinate = try #require(Coordinate(latitude: 60.5, longitude: -24.25))
        let talk = try await call(.json(recorded("apple", "house"))) {
            try await $0.reverseGeocode([coordinate])
        }
        #expect(talk.requests.last?.path == "/v1/reverseGeocode")
        #expect(talk.requests.last?.query == ["loc": "60.5,-24.25", "lang": "fi-FI"])
        #expect(!talk.candidates.isEmpty)
    }

    @Test func `an access token that is no longer accepted is replaced for the next call`()
        async throws
    {
        let calls = Tokens()
        let talk = try await call(accepting: { $0 == (calls.next() < 3 ? "access 1" : "access 2") }, .json(nothing)) {
            provider in
            for _ in 1...2 { _ = try await provider.geocode([query]) }
            await #expect(
                throws: ProviderError.unavailable(
                    reason: "apple no longer accepts its access token; the next call fetches another")
            ) {
                try await provider.geocode([query])
            }
            return try await provider.geocode([query])
        }
        #expect(talk.answers == [.notFound])
        let calledPaths = talk.requests.map { $0.path == "/v1/token" ? "token" : "call" }
        #expect(calledPaths == ["token", "call", "call", "call", "token", "call"])
    }

    @Test func `a refusal before any token was accepted is a refusal of the account`() async throws {
        await #expect(throws: ProviderError.unauthorized(reason: "apple answered 401")) {
            try await call(accepting: { _ in false }, .json("{}")) { try await $0.geocode([query]) }
        }
    }

    @Test(arguments: Extremes.numbers) func `a token that is valid for no time, or for more than a day, is an outage`(
        seconds: String
    ) async throws {
        let isPossible = Int(seconds).map { (1...86_400).contains($0) } ?? false
        do {
            try await call(lasting: seconds, .json(nothing)) { try await $0.geocode([query]) }
            #expect(isPossible)
        } catch let error as ProviderError {
            guard case .unavailable = error else { throw error }
            #expect(!isPossible)
        }
    }

    private let nothing = #"{"results": []}"#

    private let query = Query(Address(street: "Katu 1", city: "Espoo", country: "Finland"), form: .freeForm)

    /// A server that returns the tokens `access 1`, `access 2`, …
    @discardableResult
    private func call(
        accepting isAccepted: @escaping @Sendable (String) -> Bool = { _ in true }, lasting seconds: String = "1800",
        _ answer: ScriptedAnswer,
        _ body: (AppleMapsProvider) async throws -> [Answer]
    ) async throws -> Conversation {
        let tokens = Tokens()
        let account = try AppleMapsAccount(key: TestKey("P-256").pem, keyID: "KEY1", team: "TEAM1")
        return try await Conversation(
            with: { AppleMapsProvider(account: account, language: "fi-FI", http: $1, server: $0) }, body
        ) { request in
            if request.path == "/v1/token" {
                return .json(#"{"accessToken": "access \#(tokens.next())", "expiresInSeconds": \#(seconds)}"#)
            }
            let token = request.headers["authorization"]?.split(separator: " ", maxSplits: 1).last ?? ""
            return isAccepted(String(token)) ? answer : .status(401)
        }
    }
}

private final class Tokens: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
