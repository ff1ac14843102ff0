import CLibpq
import Glibc
import Processes

/// The result of lending a connection.
enum Lending<Value: Sendable>: Sendable {
    case done(Result<Value, any Error>, isReusable: Bool)
    /// The server closed the connection while it was idle; the body did not run.
    case stale
}

extension Result where Failure == any Error {
    /// The connection leads to a server that was a primary, or is behind a proxy that leads to another server now.
    fileprivate var isOfReadOnlyServer: Bool {
        if case .failure(let error as DatabaseError) = self { error.sqlState == "25006" } else { false }
    }
}

extension Connection {
    /// Runs `body` on this connection's thread. Cancelling the calling task cancels the statement
    /// that is running on the server.
    ///
    /// `first` means that the connection comes from the pool. Only then a system call checks that the server has not
    /// closed it.
    nonisolated func lend<Value: Sendable>(
        first: Bool, within limit: Duration? = nil, _ body: @Sendable (isolated Connection) throws -> Value
    ) async -> Lending<Value> {
        let cancellation = Cancellation(interrupt)
        return await withCancellationHandler {
            await perform(Use(cancellation, within: limit), first: first, body)
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Runs `body`. Its statements are cancelled when the limit is over.
    package func within<Value>(_ limit: Duration, _ body: (isolated Connection) throws -> Value) throws -> Value {
        guard let outer = use else { return try body(self) }
        use = Use(outer.cancellation, within: limit)
        defer { use = outer }
        return try body(self)
    }

    func perform<Value: Sendable>(
        _ use: Use, first: Bool, _ body: @Sendable (isolated Connection) throws -> Value
    ) -> Lending<Value> {
        guard session != nil, !first || isFresh else { return .stale }
        let outer = self.use
        self.use = use
        defer { self.use = outer }
        let outcome = Result {
            if use.cancellation.isCancelled { throw CancellationError() }
            return try body(self)
        }
        return .done(outcome, isReusable: isTidy() && !outcome.isOfReadOnlyServer)
    }

    /// The server sends to an idle session only when it ends the session: first a message, then the end of the
    /// connection. So if there is anything to read, another connection is taken.
    private var isFresh: Bool {
        var file = pollfd(fd: PQsocket(session), events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&file, 1, 0) == 0
    }

    /// Rolls back a transaction that a caller left open. Returns whether the connection can be used again.
    private func isTidy() -> Bool {
        switch PQtransactionStatus(session) {
        case PQTRANS_IDLE: break
        case PQTRANS_INTRANS, PQTRANS_INERROR: rollBack()
        default: return false
        }
        return PQstatus(session) == CONNECTION_OK && isOutsideTransaction
    }
}
