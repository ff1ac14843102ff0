import HTTP

extension HTTPClient {
    /// Sends the one request of a call. It is sent at the moment at which the call may be sent, and no redirect is
    /// followed.
    func answer(to request: HTTPRequest, _ name: String) async throws(SinkError) -> HTTPResponse {
        do {
            return try await send(request, departure: Departure.current ?? Departure())
        } catch {
            throw SinkError(error, name)
        }
    }
}

extension SinkError {
    init(_ error: HTTPError, _ name: String) {
        let reason = "\(name): \(error)"
        self =
            switch error.kind {
            // A person must set another URL.
            case .forbidden: .denied(reason: reason)
            default: .unavailable(reason: reason)
            }
    }
}

extension HTTPResponse {
    /// How long to wait after a reply that means "too fast".
    var pause: Duration { retryAfter() ?? .seconds(60) }
}
