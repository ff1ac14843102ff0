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

    private struct Memory {
        var entries: [Key: Entry] = [:]
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
    /// What is forgotten while somebody looks is not remembered: the look may have begun before.
    func value(for key: Key, _ look: () async throws -> Value?) async throws -> Value? {
        if let known = self[key] { return known }
        let before = memory.withLock(\.forgotten)
        guard let found = try await look() else { return nil }
        let now = now()
        memory.withLock { memory in
            if memory.forgotten == before { remember(found, for: key, goodFor: nil, at: now, in: &memory) }
        }
        return found
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
