import Operations

/// Ending a request from outside of it: a limit has passed, the client is gone, or the server stops.
extension ServerExchange {
    /// Breaks off: the client is gone, or has to go.
    func cut() {
        let (task, wakes, isSuspended) = state.withLock { state -> (Task<Void, Never>?, [() -> Void], Bool) in
            guard !state.isOver else { return (nil, [], false) }
            state.isCut = true
            return (state.task, state.breakOff(), state.wasSuspended())
        }
        connection.hangUp()
        task?.cancel()
        for wake in wakes { wake() }
        resume(isSuspended)
    }

    /// The request took too long.
    func expire() {
        let (isQueued, isAnswerable) = state.withLock { state in
            (state.isQueued, state.suspension == .untilAnswered && state.answer == nil)
        }
        guard !isQueued else { return }
        guard isAnswerable, answer(daemon.server.refusal(503, "The server took too long to answer.")) else {
            return cut()
        }
    }

    /// Counts the time in which only the client was waited for, and tells whether it is too long for what it has got.
    func isReadTooSlowly(after time: Duration) -> Bool {
        let options = daemon.server.options
        return state.withLock { state in
            guard state.isQueued, state.suspension == nil else { return false }
            state.waitedForClient += time
            return state.waitedForClient > options.idleLimit + .seconds(state.bytes / options.slowestReading)
        }
    }

    /// Tells an answer without an end that this is it.
    func endIfEndless() {
        state.withLock { $0.isQueued && $0.answer?.isEndless == true ? $0.task : nil }?.cancel()
    }
}
