import HTTP
import HTTPTesting
import Testing

/// A client for one test, closed at its end.
func withClient<Result>(
    _ change: (inout HTTPClient.Options) -> Void = { _ in }, _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
    var options = HTTPClient.Options(userAgent: HTTPClient.userAgent(version: "1.2.3", contact: "ops@example.org"))
    change(&options)
    let client = HTTPClient(options)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    return try result.get()
}

extension HTTPClient {
    func get(_ url: String, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await send(HTTPRequest(.get, #require(HTTPURL(url)), headers: headers))
    }

    /// The error of a request. Fails the test if there is none.
    func failure(of url: String, headers: HTTPHeaders = [:]) async throws -> HTTPError {
        try await #require(throws: HTTPError.self) { try await get(url, headers: headers) }
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
