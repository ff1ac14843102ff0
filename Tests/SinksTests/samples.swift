import HTTP
import Testing

@testable import Sinks

extension LocationToUpload {
    /// A stay of Ann. Its coordinate and its user must be in no error.
    static func sample(
        _ id: String = "1", user: String = "ann-secret", at timestamp: Double = 1_800_000_000.25, lat: Double = 60.125,
        accuracy: Double? = 8, waitTime: Double = 90, isRemoved: Bool = false
    ) -> Self {
        Self(
            user: user, id: id, lat: lat, lng: 24.5, accuracy: accuracy, timestamp: timestamp, waitTime: waitTime,
            isRemoved: isRemoved)
    }
}

/// A client for one test, closed at its end.
func withClient<Result>(
    _ change: (inout HTTPClient.Options) -> Void = { _ in }, _ body: (HTTPClient) async throws -> Result
) async throws -> Result {
    var options = HTTPClient.Options(userAgent: "Waypost")
    options.totalLimit = .seconds(20)
    change(&options)
    let client = HTTPClient(options)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    return try result.get()
}

/// Fails the test if an error contains private data.
func expectDiscretion(_ error: any Error, sourceLocation: SourceLocation = #_sourceLocation) {
    for text in ["\(error)", String(reflecting: error)] {
        for part in ["secret", "60.1", "24.5"] {
            #expect(!text.contains(part), "\(text)", sourceLocation: sourceLocation)
        }
    }
}
