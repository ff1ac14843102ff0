import CMicrohttpd
import Processes

/// Passes the body from the client to the handler.
extension ServerExchange {
    /// Takes the bytes that libmicrohttpd has read, or leaves them there until the handler has read its buffer. Runs on
    /// libmicrohttpd's thread. Returns false to close the connection.
    func receive(_ piece: UnsafeRawBufferPointer, left: inout Int) -> Bool {
        let (step, effects) = suspending { $0.receive(piece) }
        if case .goOn = step { left = 0 }
        perform(effects)
        if case .hangUp = step { return false }
        return true
    }

    /// Applies an event to the state, and suspends the connection if the result says so. It does both under the lock
    /// and on libmicrohttpd's thread, so no thread can resume the connection before it is suspended.
    func suspending(
        _ event: (inout ExchangeState) -> (ExchangeState.Step, ExchangeState.Effects)
    ) -> (ExchangeState.Step, ExchangeState.Effects) {
        state.withLock { state in
            let (step, effects) = event(&state)
            if case .suspend = step { MHD_suspend_connection(raw) }
            return (step, effects)
        }
    }

    /// The next piece for the handler; nil at the end.
    func nextPiece() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // If the task is cancelled after this check, the cancellation handler below finds the reader.
                let effects = state.withLock { state in
                    state.read(isCancelled: Task.isCancelled) { continuation.resume(with: $0) }
                }
                perform(effects)
            }
        } onCancel: {
            perform(state.withLock { $0.cancelRead() })
        }
    }
}
