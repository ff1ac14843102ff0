import CMicrohttpd
import Operations

/// The body, from the client to the handler.
extension ServerExchange {
    /// Takes what libmicrohttpd has read, or leaves it there until the handler has taken what it holds. On
    /// libmicrohttpd's thread. Returns false to hang up.
    func receive(_ piece: UnsafeRawBufferPointer, left: inout Int) -> Bool {
        let (step, effects) = suspending { $0.receive(piece) }
        if case .goOn = step { left = 0 }
        perform(effects)
        if case .hangUp = step { return false }
        return true
    }

    /// Lets the state decide, and suspends the connection where it says so. On libmicrohttpd's thread, and under the
    /// lock: whoever resumes the connection comes later.
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
                // Cancelled after this look, the handler below finds the reader.
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
