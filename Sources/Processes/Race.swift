/// Returns the first of several results.
package final class Race<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case over(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    package init() {}

    package func finish(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .over: return nil
            case .open:
                state = .over(result)
                return nil
            case .awaited(let waiter):
                state = .over(result)
                return waiter
            }
        }
        waiter?.resume(with: result)
    }

    /// Can be awaited once.
    package func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if case .over(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
