import Geocoding
import HTTP
import HTTPTesting
import Testing

/// What a provider made of `answer`, and the one request that it sent for it.
func exchange<Provider: GeocodingProvider>(
    _ answer: ScriptedAnswer, with make: (HTTPURL, HTTPClient) throws -> Provider,
    _ body: (Provider) async throws -> [Answer]
) async throws -> (Answer, ScriptedRequest) {
    let server = try ScriptedServer { _ in answer }
    defer { server.stop() }
    let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
    let url = try #require(HTTPURL(server.url))
    let result: Result<[Answer], any Error>
    do { result = .success(try await body(make(url, client))) } catch { result = .failure(error) }
    await client.close()
    return (try #require(result.get().first), try #require(server.requests.first))
}

extension Answer {
    /// What was found, the best first; empty when nothing was.
    var candidates: [Candidate] {
        if case .found(let candidates) = self { candidates } else { [] }
    }
}

extension Query {
    /// With a second line, and a blank field.
    static func spread(_ form: Form) -> Self {
        Query(Address(street: "Katu 1\n B\n", city: "Espoo", region: " ", country: "Finland"), form: form)
    }
}
