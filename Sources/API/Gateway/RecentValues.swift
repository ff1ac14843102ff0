import Processes

/// The values that were stored last: at least `most` of them, and at most twice as many.
final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let until: ContinuousClock.Instant
    }

    private struct State {
        var young: [Key: Entry] = [:]
        /// Dropped when `young` is full, and replaced by it.
        var old: [Key: Entry] = [:]
    }

    private let state = Locked(State())
    private let most: Int
    private let lifetime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        most: Int, lifetime: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.most, self.lifetime, self.now) = (most, lifetime, now)
    }

    subscript(key: Key) -> Value? {
        get {
            let now = now()
            return state.withLock { $0.young[key] ?? $0.old[key] }.flatMap { $0.until > now ? $0.value : nil }
        }
        set {
            let until = now() + lifetime
            state.withLock { state in
                state.young[key] = newValue.map { Entry(value: $0, until: until) }
                if newValue == nil { state.old[key] = nil }
                guard state.young.count >= most else { return }
                (state.old, state.young) = (state.young, [:])
            }
        }
    }
}
