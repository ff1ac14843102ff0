import Operations

/// Ending a request from outside of it: a limit has passed, the client is gone, or the server stops.
extension ServerExchange {
    /// Breaks off: the client is gone, or has to go.
    func cut() {
        let effects = state.withLock { $0.cut() }
        connection.hangUp()
        if let effects { perform(effects) }
    }

    /// The request took too long.
    func expire() {
        switch state.withLock({ $0.expiry }) {
        case .isInTime: break
        case .isAnswerable:
            if !answer(errorResponse(503, "The server took too long to answer.")) { cut() }
        case .mustBeCut: cut()
        }
    }

    /// Counts the time in which only the client was waited for, and tells whether it is too long for what it has got.
    func isReadTooSlowly(after time: Duration) -> Bool {
        let options = daemon.server.options
        return state.withLock {
            $0.isReadTooSlowly(after: time, idleLimit: options.idleLimit, slowest: options.slowestReading)
        }
    }

    /// Tells an answer without an end that this is it.
    func endIfEndless() {
        state.withLock { $0.endlessTask }?.cancel()
    }
}
