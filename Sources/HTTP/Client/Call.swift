/// One call of a caller: an exchange, and those that follow redirects.
///
/// Unchecked: the caller makes it and hands it to a ``TransferLoop``. From then on only the loop's thread changes it. A
/// call that arrives after the loop has stopped is only read.
final class Call: @unchecked Sendable {
    typealias Answer = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

    enum Purpose {
        case request
        /// Opens one connection early, to measure the connect time.
        case connection
    }

    let client: ClientCalls
    var request: HTTPRequest
    let purpose: Purpose
    /// When the request may be sent; nil for a call without a limit, which may also be redirected.
    let departure: Departure?
    var answer: Answer?
    var exchange: Exchange?
    var deadline: ContinuousClock.Instant?
    var redirects = 0
    /// The call was begun in the expectation of a kept connection.
    var isWarm = false
    var isCancelled = false
    /// The first server of the call. After a redirect the call still counts as one to this server.
    let host: String

    init(of client: ClientCalls, _ request: HTTPRequest, purpose: Purpose = .request, departure: Departure? = nil) {
        self.client = client
        self.request = request
        self.purpose = purpose
        self.departure = departure
        host = request.url.description
    }

    /// Replaces the request by the one that follows a redirect.
    func follow(_ location: String, status: Int) throws(HTTPError) {
        guard departure == nil else { throw request.relocation(location, status: status) }
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
