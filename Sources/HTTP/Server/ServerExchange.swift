import CMicrohttpd
import Operations

/// One request and its answer, between libmicrohttpd's thread and the task of the handler.
///
/// A connection that has nothing to do is suspended, and libmicrohttpd asks nothing until it is resumed. Whoever finds
/// `suspension` set, under the lock, clears it and resumes; so nobody resumes twice, or a connection that is gone, for
/// libmicrohttpd closes none that is suspended.
///
/// `@unchecked Sendable` is safe because `raw` is used on libmicrohttpd's thread, and elsewhere only by who resumes it;
/// what stands under "libmicrohttpd's thread" is used nowhere else; and `state` has a lock.
final class ServerExchange: @unchecked Sendable {
    let connection: ServerConnection
    let daemon: ServerDaemon
    let raw: OpaquePointer
    let began: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    let state: Locked<State>

    // libmicrohttpd's thread.
    let targetLine: TargetLine
    var isHeadDone = false
    var isClosing = false
    var isWaitingForWord = false
    var declaredLength = 0
    var method: ServerRequest.Method?
    var route: Router.Route?

    /// Where the target stood in memory, and what it was.
    struct TargetLine {
        let address: UInt
        let bytes: [UInt8]
    }

    struct State {
        var hasBegun = false
        var suspension: Suspension?
        var isCut = false
        var isOver = false
        var task: Task<Void, Never>?
        var answer: ServerResponse?
        var isQueued = false
        var status: Int?
        var bytes = 0
        /// For how long only the client kept the answer from going out.
        var waitedForClient: Duration = .zero
        var body: IncomingBody
        var outgoing = OutgoingBody()
    }

    enum Suspension {
        case untilBodyIsTaken
        case untilAnswered
        case untilWritten
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
        state = Locked(State(body: IncomingBody(limit: daemon.server.options.largestBody)))
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var isQueued: Bool { state.withLock { $0.isQueued } }
    var isSuspended: Bool { state.withLock { $0.suspension != nil } }

    /// To be called with `suspension` cleared under the lock by the caller.
    func resume(_ isSuspended: Bool) {
        if isSuspended { MHD_resume_connection(raw) }
    }

    /// libmicrohttpd is done with the request.
    func complete(isWhole: Bool) {
        let now = ContinuousClock.now
        let (state, wakes) = state.withLock { state -> (State, [() -> Void]) in
            state.isOver = true
            let wakes = state.breakOff()
            // A streamed answer may hold the request, whose body holds us.
            defer { (state.task, state.answer) = (nil, nil) }
            return (state, wakes)
        }
        // What it still does has no effect.
        state.task?.cancel()
        for wake in wakes { wake() }
        connection.end(self, at: now)
        daemon.server.log(
            AccessEntry(
                method: method, route: route?.pattern, status: state.status, bytes: state.bytes, duration: now - began,
                wasCutOff: !isWhole))
    }
}

extension ServerExchange.State {
    /// Clears the suspension, and tells whether there was one.
    mutating func wasSuspended() -> Bool {
        defer { suspension = nil }
        return suspension != nil
    }

    mutating func breakOff() -> [() -> Void] {
        body.end(throwing: BodyError.brokenOff)
        outgoing.end(.broken)
        return outgoing.wake() + [body.wake()].compactMap { $0 }
    }
}
