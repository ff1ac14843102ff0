import Geocoding
import HTTP
import HTTPTesting
import Testing

/// The answers of a provider to one reply, and the requests that it sent.
struct Conversation {
    var answers: [Answer]
    var requests: [ScriptedRequest]

    /// The first request.
    var request: ScriptedRequest { get throws { try #require(requests.first) } }

    /// The candidates for the first query, the best first; empty if there are none.
    var candidates: [Candidate] { answers.first?.candidates ?? [] }

    /// Runs `call` with the provider from `make`, on a server that always replies `answer`.
    init<Provider: GeocodingProvider>(
        with make: (HTTPURL, HTTPClient) -> Provider, answering answer: ScriptedAnswer,
        _ call: (Provider) async throws -> [Answer]
    ) async throws {
        try await self.init(with: make, call) { _ in answer }
    }

    /// Runs `call` with the provider from `make`, on a server that replies by `script`.
    init<Provider: GeocodingProvider>(
        with make: (HTTPURL, HTTPClient) -> Provider, _ call: (Provider) async throws -> [Answer],
        script: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer
    ) async throws {
        let server = try ScriptedServer(script)
        defer { server.stop() }
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let url = try #require(HTTPURL(server.url))
        let result: Result<[Answer], any Error>
        do { result = .success(try await call(make(url, client))) } catch { result = .failure(error) }
        await client.close()
        answers = try result.get()
        requests = server.requests
    }
}

extension Answer {
    /// The candidates, the best first; empty if there are none.
    var candidates: [Candidate] {
        if case .found(let candidates) = self { candidates } else { [] }
    }
}

extension Address {
    /// Two lines, a blank field, and the sign that separates the parts of some services' queries.
    static let spread = Address(street: "Katu 1; 2\n B\n", city: "Espoo", region: " ", country: "Suomi")
}
