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

/// Runs `work`, and returns nil if it takes longer than `limit`.
///
/// The work is cancelled then, and not awaited: a server that hangs does not answer a request to cancel either.
package func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    let race = Race<Value?>()
    let working = Task {
        do { race.finish(.success(try await work())) } catch { race.finish(.failure(error)) }
    }
    let alarm = Task {
        try await Task.sleep(for: limit)
        race.finish(.success(nil))
        working.cancel()
    }
    defer { alarm.cancel() }
    return try await race.value()
}
