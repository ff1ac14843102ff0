import CMicrohttpd
import Operations

/// The body, from the client to the handler.
extension ServerExchange {
    /// Takes what libmicrohttpd has read, or leaves it there until the handler has taken what it holds. On
    /// libmicrohttpd's thread. Returns false to hang up.
    func receive(_ piece: UnsafeRawBufferPointer, left: inout Int) -> Bool {
        let (isWelcome, wake) = state.withLock { state -> (Bool, (() -> Void)?) in
            guard !state.isCut, !state.body.isHopeless else { return (false, nil) }
            guard state.body.hasRoom else {
                state.suspension = .untilBodyIsTaken
                MHD_suspend_connection(raw)
                return (true, nil)
            }
            state.body.add(piece)
            left = 0
            return (true, state.body.wake())
        }
        wake?()
        return isWelcome
    }

    /// The next piece for the handler; nil at the end.
    func nextPiece() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                let (result, isSuspended) = state.withLock { state -> (Result<[UInt8]?, any Error>?, Bool) in
                    precondition(state.body.reader == nil, "the body of a request has one reader at a time")
                    guard let result = state.body.next() else {
                        // Cancelled after this look, the handler below finds the reader.
                        if Task.isCancelled { return (.failure(CancellationError()), false) }
                        state.body.reader = reader
                        return (nil, state.resumesBody())
                    }
                    return (result, state.resumesBody())
                }
                if let result { reader.resume(with: result) }
                resume(isSuspended)
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.body.reader = nil }
                return state.body.reader
            }
            reader?.resume(throwing: CancellationError())
        }
    }
}

extension ServerExchange.State {
    /// Clears the suspension that waits for a reader, once there is room.
    fileprivate mutating func resumesBody() -> Bool {
        guard suspension == .untilBodyIsTaken, body.hasRoom else { return false }
        return wasSuspended()
    }
}
