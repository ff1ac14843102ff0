import Processes

/// Ends a request from outside: a limit has passed, the client is gone, or the server stops.
extension ServerExchange {
    /// Cuts the connection: the client is gone, or we close it.
    func cut() {
        let effects = state.withLock { $0.cut() }
        connection.hangUp()
        if let effects { perform(effects) }
    }

    /// Called when the request has taken too long.
    func expire() {
        switch state.withLock({ $0.expiry }) {
        case .isInTime: break
        case .isAnswerable:
            if !answer(errorResponse(503, "The server took too long to answer.")) { cut() }
        case .mustBeCut: cut()
        }
    }

    /// Adds the time in which only the client caused the delay. Returns whether it is too long for the bytes that were
    /// sent.
    func isReadTooSlowly(after time: Duration) -> Bool {
        let options = daemon.server.options
        return state.withLock {
            $0.isReadTooSlowly(after: time, idleLimit: options.idleLimit, slowest: options.slowestReading)
        }
    }

    /// Cancels the handler of an endless response.
    func endIfEndless() {
        state.withLock { $0.endlessTask }?.cancel()
    }
}
