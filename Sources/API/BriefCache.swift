import Operations

/// What the database said a moment ago.
///
/// Bounded in time, for what was revoked must end soon, and in number, for memory must.
final class BriefCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How long something may be believed that is no longer so.
    static var lifetime: Duration { .seconds(5) }
    static var most: Int { 1_000 }

    private struct Entry {
        let value: Value
        let until: ContinuousClock.Instant
    }

    /// A look that is under way. All who ask for the same wait for one.
    private struct Look {
        let number: Int
        /// How often something had been forgotten when it began: what it finds may be older than that.
        let forgotten: Int
        let task: Task<Value?, any Error>
    }

    private struct Memory {
        var entries: [Key: Entry] = [:]
        var looks: [Key: Look] = [:]
        var lastLook = 0
        var forgotten = 0
    }

    private let memory = Locked(Memory())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    subscript(key: Key) -> Value? {
        let now = now()
        return memory.withLock { $0.entries[key].flatMap { $0.until > now ? $0.value : nil } }
    }

    func remember(_ value: Value, for key: Key, goodFor: Duration? = nil) {
        let now = now()
        memory.withLock { remember(value, for: key, goodFor: goodFor, at: now, in: &$0) }
    }

    /// The value that is known, or else what `look` finds.
    ///
    /// What is forgotten while somebody looks is not remembered, nor given to who asks from then on: the look may have begun before.
    func value(for key: Key, _ look: @escaping @Sendable () async throws -> Value?) async throws -> Value? {
        if let known = self[key] { return known }
        let task = memory.withLock { memory in
            if let look = memory.looks[key], look.forgotten == memory.forgotten { return look.task }
            memory.lastLook += 1
            let (number, forgotten) = (memory.lastLook, memory.forgotten)
            let task = Task {
                let found: Value?
                do { found = try await look() } catch {
                    end(number, of: key)
                    throw error
                }
                end(number, of: key, found, ifForgotten: forgotten)
                return found
            }
            memory.looks[key] = Look(number: number, forgotten: forgotten, task: task)
            return task
        }
        return try await task.value
    }

    private func end(_ number: Int, of key: Key, _ found: Value? = nil, ifForgotten before: Int = 0) {
        let now = now()
        memory.withLock { memory in
            if memory.looks[key]?.number == number { memory.looks[key] = nil }
            guard let found, memory.forgotten == before else { return }
            remember(found, for: key, goodFor: nil, at: now, in: &memory)
        }
    }

    /// Call it when what the database says has changed.
    func forget(_ key: Key) {
        memory.withLock { memory in
            memory.entries[key] = nil
            memory.forgotten += 1
        }
    }

    private func remember(
        _ value: Value, for key: Key, goodFor: Duration?, at now: ContinuousClock.Instant, in memory: inout Memory
    ) {
        if memory.entries.count >= Self.most { memory.entries = memory.entries.filter { $0.value.until > now } }
        // As many within a few seconds: those to come are looked up each time until some are forgotten.
        guard memory.entries.count < Self.most else { return }
        memory.entries[key] = Entry(value: value, until: now + min(goodFor ?? Self.lifetime, Self.lifetime))
    }
}
