/// One request and its response.
final class ServerExchange {
    let number: UInt64
    let connection: ServerConnection
    let id = ServerRequest.newID()
    let head: RequestHead
    let began: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    var state: ExchangeState

    var method: ServerRequest.Method?
    var route: Router.Route?
    /// The CORS headers of the response.
    var crossOrigin = HTTPHeaders()
    /// The client on whose behalf a trusted proxy sends the request, once it is counted.
    var clientOfProxy: [UInt8]?
    /// The task of the handler.
    var task: Task<Void, Never>?
    /// The beginning of the time in which the body is dropped.
    var droppedSince: ContinuousClock.Instant?
    /// How many bytes were sent.
    var sent = 0
    /// How long it has waited for its response since the client ended its side.
    var waitedAfterEnd: Duration = .zero
    /// The response is sent in chunks.
    var isChunked = false

    init(
        _ number: UInt64, _ head: RequestHead, on connection: ServerConnection, _ options: HTTPServer.Options,
        at now: ContinuousClock.Instant
    ) {
        (self.number, self.head, self.connection) = (number, head, connection)
        (began, deadline) = (now, now + options.requestLimit)
        state = ExchangeState(largestBody: options.largestBody)
        method = ServerRequest.Method(rawValue: head.method)
    }
}
