import Geocoding
import HTTP
import HTTPTesting
import Testing

/// What one provider made of one answer, and what it had sent.
struct Conversation {
    var answers: [Answer]
    var requests: [ScriptedRequest]

    /// The first request.
    var request: ScriptedRequest { get throws { try #require(requests.first) } }

    /// What was found for the first query, the best first; empty when nothing was.
    var candidates: [Candidate] { answers.first?.candidates ?? [] }

    /// Has `call` call the provider that `make` makes for a server that gives only `answer`.
    init<Provider: GeocodingProvider>(
        with make: (HTTPURL, HTTPClient) -> Provider, answering answer: ScriptedAnswer,
        _ call: (Provider) async throws -> [Answer]
    ) async throws {
        try await self.init(with: make, call) { _ in answer }
    }

    /// Has `call` call the provider that `make` makes for a server that answers as `script` says.
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
    /// What was found, the best first; empty when nothing was.
    var candidates: [Candidate] {
        if case .found(let candidates) = self { candidates } else { [] }
    }
}

extension Address {
    /// Two lines, a blank field, and a sign that stands between the parts of some services' queries.
    static let spread = Address(street: "Katu 1; 2\n B\n", city: "Espoo", region: " ", country: "Suomi")
}
