import Geocoding
import HTTP
import HTTPTesting
import Testing

/// What every HTTP provider must make of each kind of answer, hostile ones included.
///
///     @Test(arguments: ProviderContract.Trial.all)
///     func `keeps the contract`(trial: ProviderContract.Trial) async throws { try await contract.check(trial) }
struct ProviderContract: Sendable {
    /// Makes the provider for a server, with the key "secret" where it needs one.
    var make: @Sendable (HTTPURL, HTTPClient) -> any GeocodingProvider
    /// The body that finds ``candidate``, which must be the first.
    var found: String
    var candidate: Candidate
    var notFound: ScriptedAnswer
    /// A body like ``found`` with these in place of the latitude and the longitude, as they stand in its JSON.
    var bodyAt: @Sendable (_ latitude: String, _ longitude: String) -> String
    /// What the service answers when the quota is used up.
    var quota: ScriptedAnswer = .status(402)

    var query = Query(Address(street: "Secretstreet 1", city: "Secretville", country: "Finland"))

    enum Expected: Sendable {
        case found, notFound, refused, unavailable, unauthorized, quota
        case located(Coordinate)
        case busy(Duration)
    }

    struct Trial: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: Expected
        let answer: @Sendable (ProviderContract) -> ScriptedAnswer
        var testDescription: String { name }

        init(_ name: String, _ expected: Expected, _ answer: @escaping @Sendable (ProviderContract) -> ScriptedAnswer) {
            self.name = name
            self.expected = expected
            self.answer = answer
        }
    }

    func check(_ trial: Trial) async throws {
        let server = try ScriptedServer { _ in trial.answer(self) }
        defer { server.stop() }
        var options = HTTPClient.Options(userAgent: "Waypost")
        options.totalLimit = trial.name.contains("slow") ? .milliseconds(100) : .seconds(30)
        let client = HTTPClient(options)
        let provider = make(try #require(HTTPURL(server.url)), client)
        let result: Result<[Answer], ProviderError>
        do { result = .success(try await provider.geocode([query])) } catch { result = .failure(error) }
        await client.close()
        #expect(meets(result, trial.expected), "\(result)")
        if case .failure(let error) = result { #expect(!"\(error)".lowercased().contains("secret")) }
    }

    private func meets(_ result: Result<[Answer], ProviderError>, _ expected: Expected) -> Bool {
        switch (result, expected) {
        case (.success(let answers), .found):
            guard answers.count == 1, case .found(let candidates) = answers[0] else { return false }
            return candidates.first == candidate
        case (.success(let answers), .located(let coordinate)):
            guard answers.count == 1, case .found(let candidates) = answers[0] else { return false }
            return candidates.first?.placemark.coordinate == coordinate
        case (.success(let answers), .notFound): return answers == [.notFound]
        case (.success(let answers), .refused):
            guard answers.count == 1, case .refused(let reason) = answers[0] else { return false }
            return !reason.lowercased().contains("secret")
        case (.failure(.unavailable), .unavailable), (.failure(.unauthorized), .unauthorized),
            (.failure(.quotaExhausted), .quota):
            return true
        case (.failure(.busy(let delay)), .busy(let expected)): return delay == expected
        default: return false
        }
    }

    func checkNobodyListening() async throws {
        let server = try DeafServer()
        server.stop()
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = make(try #require(HTTPURL(server.url)), client)
        let result: Result<[Answer], ProviderError>
        do { result = .success(try await provider.geocode([query])) } catch { result = .failure(error) }
        await client.close()
        #expect(meets(result, .unavailable), "\(result)")
    }
}
