/// Hands each value to everybody who listens at the time.
///
/// A value is made once, by one ticker, however many listen: a thousand event streams cost one timer and one question to
/// the database, not a thousand. Who is slow misses values, and finds the newest when it comes back.
package final class Broadcast<Value: Sendable>: Sendable {
    private let state = Guarded(State())

    private struct State {
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var next = 0
        var last: Value?
        var isOver = false
    }

    package init() {}

    /// The last value, if there was one, and all that come from now on.
    package func listen() -> AsyncStream<Value> {
        let (values, listener) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.with { state -> Int? in
            if let last = state.last { listener.yield(last) }
            guard !state.isOver else { return nil }
            defer { state.next += 1 }
            state.listeners[state.next] = listener
            return state.next
        }
        guard let id else {
            listener.finish()
            return values
        }
        listener.onTermination = { [weak self] _ in self?.leave(id) }
        return values
    }

    /// How many listen. Nobody needs to make a value for none.
    package var listeners: Int { state.with { $0.listeners.count } }

    package func send(_ value: Value) {
        let listeners = state.with { state in
            state.last = value
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(value) }
    }

    /// Sends a value at each tick while somebody listens, until the task is cancelled.
    package func run(every interval: Duration, _ value: () async throws -> Value) async throws {
        defer { finish() }
        while !Task.isCancelled {
            if listeners > 0 { send(try await value()) }
            try? await Task.sleep(for: interval)
        }
    }

    /// Ends all streams, and those that begin later.
    package func finish() {
        let listeners = state.with { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        // Not under the lock: who ends leaves.
        for listener in listeners { listener.finish() }
    }

    private func leave(_ id: Int) {
        // What it holds goes after the lock.
        _ = state.with { $0.listeners.removeValue(forKey: id) }
    }
}
