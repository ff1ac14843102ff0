import CMicrohttpd
import Processes

/// One request and its response, between libmicrohttpd's thread and the task of the handler.
///
/// ``ExchangeState`` decides what happens, and this class carries it out. A connection that waits is suspended, and
/// libmicrohttpd ignores it until it is resumed. The state returns `resumes` only once for each suspension, so a
/// connection is never resumed twice. It also still exists then, because libmicrohttpd closes no suspended connection.
///
/// `@unchecked Sendable` is safe because `state` has a lock. `raw` is used on libmicrohttpd's thread. Elsewhere it is
/// used only to resume a suspended connection, which therefore exists. All other variables are used on libmicrohttpd's
/// thread only.
final class ServerExchange: @unchecked Sendable {
    let connection: ServerConnection
    let daemon: ServerDaemon
    let raw: OpaquePointer
    let began: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    let targetLine: TargetLine
    let state: Locked<ExchangeState>

    // Only for libmicrohttpd's thread.
    let id = ServerRequest.newID()
    /// The CORS headers of the response.
    var crossOrigin = HTTPHeaders()
    /// The client on whose behalf a trusted proxy sends the request, once it is counted.
    var clientOfProxy: [UInt8]?
    var method: ServerRequest.Method?
    var route: Router.Route?

    /// The address of the target in memory, and its bytes.
    struct TargetLine {
        let address: UInt
        let bytes: [UInt8]
    }

    init(
        _ raw: OpaquePointer, of connection: ServerConnection, in daemon: ServerDaemon, target: UnsafePointer<CChar>?
    ) {
        self.raw = raw
        self.connection = connection
        self.daemon = daemon
        began = .now
        deadline = began + daemon.server.options.requestLimit
        let bytes = target.map { Array(String(cString: $0).utf8) } ?? []
        targetLine = TargetLine(address: UInt(bitPattern: target), bytes: bytes)
        state = Locked(ExchangeState(largestBody: daemon.server.options.largestBody))
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var isSending: Bool { state.withLock { $0.isSending } }
    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Carries out the actions of an event, after the lock is released.
    func perform(_ effects: ExchangeState.Effects) {
        effects.cancels?.cancel()
        for wake in effects.wakes { wake() }
        if effects.resumes { MHD_resume_connection(raw) }
    }

    /// libmicrohttpd has finished the request.
    func complete(isWhole: Bool) {
        let now = ContinuousClock.now
        let (effects, status, bytes) = state.withLock { ($0.complete(), $0.status, $0.bytes) }
        // From now on the handler's output has no effect.
        perform(effects)
        if let clientOfProxy { daemon.connections.end(requestOf: clientOfProxy) }
        connection.end(self, at: now)
        daemon.server.log(
            AccessEntry(
                id: id, method: method, route: route?.pattern, status: status, bytes: bytes, duration: now - began,
                wasCutOff: !isWhole && !connection.isRefused))
        if isWhole { connection.refuseIfDue() }
    }
}
