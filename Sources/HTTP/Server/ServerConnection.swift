import CMicrohttpd
import Glibc
import Operations

/// One connection of a client, from its acceptance to its close.
///
/// `@unchecked Sendable` is safe because `state` has a lock, and `session` is used on libmicrohttpd's thread only.
final class ServerConnection: @unchecked Sendable {
    let isOverLoopback: Bool
    /// The address of the client, without its port.
    let client: [UInt8]
    let isOfTrustedProxy: Bool
    let descriptor: Int32
    let server: HTTPServer
    /// GnuTLS's. Nil for plain HTTP.
    let session: OpaquePointer?
    let state: Locked<State>

    struct State {
        var isOpen = true
        /// It was hung up, and libmicrohttpd has yet to see it.
        var isLeaving = false
        /// It came when all places were taken: only routes that are always answered are for it.
        var isReserve = false
        /// When it was accepted, or its last answer was out.
        var quietSince: ContinuousClock.Instant
        var exchange: ServerExchange?
        /// The certificate that the client was shown.
        var issue: ServerCertificate.Issue?
        var framing: RequestFraming
        /// How many requests are over.
        var ended = 0
        /// Why nothing more is read.
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
    /// Nil where a request is under way.
    var quietSince: ContinuousClock.Instant? {
        state.withLock { $0.exchange?.hasBegun == true ? nil : $0.quietSince }
    }
    var isReserve: Bool { state.withLock { $0.isReserve } }

    /// The certificate as it is now, which stays that of this connection.
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

    /// Breaks the connection. libmicrohttpd sees it and cleans up. Under the lock, so that it never hits whoever gets the
    /// descriptor next.
    func hangUp() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isLeaving = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Breaks it where the client has said that no more will come, and all that came is read.
    func hangUpAtEnd() {
        state.withLock { state in
            var byte: UInt8 = 0
            let peek = Int32(MSG_PEEK | MSG_DONTWAIT)
            guard state.isOpen, recv(descriptor, &byte, 1, peek) == 0 else { return }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// True where no request is under way and hasn't been since `limit` ago.
    func isQuiet(for limit: Duration, at now: ContinuousClock.Instant) -> Bool {
        quietSince.map { now - $0 >= limit } ?? false
    }
}
