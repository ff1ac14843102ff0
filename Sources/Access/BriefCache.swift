import Processes

/// Caches results of database queries for a few seconds.
///
/// The time is limited so that a revoked right ends soon. The number of entries is limited to bound the memory.
package final class BriefCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How long an outdated value may be used.
    static var lifetime: Duration { .seconds(5) }
    static var most: Int { 1_000 }

    private struct Entry {
        let value: Value
        let until: ContinuousClock.Instant
    }

    /// A query under way. Further callers for the same key wait for it.
    private struct Look {
        let number: Int
        /// The number of `forget` calls when it began. If the number has changed, its result may be outdated.
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

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
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

    /// The cached value, or else the result of `look`.
    ///
    /// If `forget` is called while `look` runs, its result is not cached and later callers don't get it, because it may
    /// be outdated.
    package func value(for key: Key, _ look: @escaping @Sendable () async throws -> Value?) async throws -> Value? {
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

    /// Must be called when the value in the database has changed.
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
        // If that many entries are recent, further ones are not cached until some expire.
        guard memory.entries.count < Self.most else { return }
        memory.entries[key] = Entry(value: value, until: now + min(goodFor ?? Self.lifetime, Self.lifetime))
    }
}

/// Recently used tokens by their ids.
typealias TokenCache = BriefCache<Int, TokenHolder>

extension TokenCache {
    func remember(_ holder: TokenHolder, goodFor: Duration?) {
        guard let id = holder.token else { return }
        remember(holder, for: id, goodFor: goodFor)
    }
}
