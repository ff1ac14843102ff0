/// What one caller waits for: an exchange, and those that redirects make of it.
///
/// Unchecked: made by the caller, it is handed to a ``TransferLoop`` and changed only on that one's thread from then on.
/// One that comes too late for the loop is only read.
final class Call: @unchecked Sendable {
    typealias Answer = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

    enum Purpose {
        case request
        /// To have connected once, and to know how long that takes.
        case connection
    }

    var request: HTTPRequest
    let purpose: Purpose
    /// When it may leave; nil for one that nothing limits, which may also be redirected.
    let departure: Departure?
    var answer: Answer?
    var exchange: Exchange?
    var deadline: ContinuousClock.Instant?
    var redirects = 0
    /// It is begun in the belief that there is a kept connection for it.
    var isWarm = false
    var isCancelled = false
    /// The server that was asked first. Redirects don't change in whose line the call stands.
    let host: String

    init(_ request: HTTPRequest, purpose: Purpose = .request, departure: Departure? = nil) {
        self.request = request
        self.purpose = purpose
        self.departure = departure
        host = request.url.description
    }

    /// Makes the request the one that follows a redirect.
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
