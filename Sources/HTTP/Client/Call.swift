/// What one caller waits for: an exchange, and those that redirects make of it.
///
/// Unchecked: made by the caller, it is handed to a ``TransferLoop`` and changed only on that one's thread from then on.
/// One that comes too late for the loop is only read.
final class Call: @unchecked Sendable {
    typealias Answer = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

    var request: HTTPRequest
    var answer: Answer?
    var exchange: Exchange?
    var deadline: ContinuousClock.Instant?
    var redirects = 0
    var isCancelled = false
    /// The server that was asked first. Redirects don't change in whose line the call stands.
    let host: String

    init(_ request: HTTPRequest) {
        self.request = request
        host = request.url.description
    }

    /// Makes the request the one that follows a redirect.
    func follow(_ location: String, status: Int) throws(HTTPError) {
        guard redirects < 5 else { throw request.refusal("it redirects more than five times") }
        redirects += 1
        request = try request.redirected(to: location, status: status)
    }

    func end(_ result: Result<HTTPResponse, HTTPError>) {
        answer?.resume(returning: result)
        answer = nil
        exchange = nil
    }

    func failure(_ kind: HTTPError.Kind, _ reason: String) -> HTTPError {
        HTTPError(kind: kind, host: request.url.authority, reason: reason)
    }

    func fail(_ kind: HTTPError.Kind, _ reason: String) {
        end(.failure(failure(kind, reason)))
    }
}
