import CMicrohttpd
import Glibc
import Processes

/// One connection of a client, from accept to close.
///
/// `@unchecked Sendable` is safe because `state` has a lock, and `session` is used on libmicrohttpd's thread only.
final class ServerConnection: @unchecked Sendable {
    let isOverLoopback: Bool
    /// The address of the client, without its port.
    let client: [UInt8]
    let isOfTrustedProxy: Bool
    let descriptor: Int32
    let server: HTTPServer
    /// The session of GnuTLS; nil for plain HTTP.
    let session: OpaquePointer?
    let state: Locked<State>

    struct State {
        var isOpen = true
        /// We closed it, but libmicrohttpd has not noticed yet.
        var isLeaving = false
        /// It was opened above the limit of connections, so it is served only routes that are always answered.
        var isReserve = false
        /// When it was accepted, or its last response was sent.
        var quietSince: ContinuousClock.Instant
        var exchange: ServerExchange?
        /// The certificate that the client got.
        var issue: ServerCertificate.Issue?
        var framing: RequestFraming
        /// How many requests are over.
        var ended = 0
        /// The reason why nothing more is read.
        var refusal: HeadError?
    }

    init(_ raw: OpaquePointer, of server: HTTPServer) {
        descriptor = connection_descriptor(raw)
        isOverLoopback = isLoopback(connection_peer(raw))
        client = addressBytes(connection_peer(raw))
        isOfTrustedProxy = server.options.trustedProxies?.contains(client) ?? false
        session = server.options.tls == nil ? nil : connection_session(raw)
        self.server = server
        state = Locked(
            State(quietSince: .now, framing: RequestFraming(largestHead: server.options.largestHead)))
    }

    var exchange: ServerExchange? { state.withLock { $0.exchange } }
    var isLeaving: Bool { state.withLock { $0.isLeaving } }
    /// Nil while a request is under way.
    var quietSince: ContinuousClock.Instant? {
        state.withLock { $0.exchange?.hasBegun == true ? nil : $0.quietSince }
    }
    var isReserve: Bool { state.withLock { $0.isReserve } }

    /// The current certificate, which this connection keeps.
    func certificateForHandshake() -> ServerCertificate.Issue? {
        state.withLock { state in
            if state.issue == nil { state.issue = server.options.tls?.issue }
            return state.issue
        }
    }

    func begin(_ exchange: ServerExchange) {
        state.withLock { $0.exchange = exchange }
    }

    func end(_ exchange: ServerExchange, at now: ContinuousClock.Instant) {
        state.withLock { state in
            if state.exchange === exchange { state.exchange = nil }
            state.quietSince = now
            state.ended += 1
        }
    }

    func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Shuts the connection down. libmicrohttpd notices that and cleans up. The lock prevents a shutdown of another
    /// connection that got the same descriptor.
    func hangUp() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isLeaving = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Closes the connection if the client has ended its side and everything it sent was read.
    func hangUpAtEnd() {
        state.withLock { state in
            var byte: UInt8 = 0
            let peek = Int32(MSG_PEEK | MSG_DONTWAIT)
            guard state.isOpen, recv(descriptor, &byte, 1, peek) == 0 else { return }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// True if no request is under way and the last one ended at least `limit` ago.
    func isQuiet(for limit: Duration, at now: ContinuousClock.Instant) -> Bool {
        quietSince.map { now - $0 >= limit } ?? false
    }
}
