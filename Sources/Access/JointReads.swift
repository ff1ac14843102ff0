package import Postgres
import Processes

/// Gathers reads of a group, such as an account, that wait for a turn. One statement answers all of them.
///
/// A short read costs less than its turn: two thread switches, a round trip, and the start of a statement.
package final class JointReads<Group: Hashable & Sendable, Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Returns the values that exist.
    package typealias Read = @Sendable (_ keys: [Key], _ group: Group, isolated Connection) throws -> [Key: Value]
    package typealias Body = @Sendable (isolated Connection) throws -> [Key: Value]

    private struct Waiter {
        let key: Key
        let race = Race<Value?>()
    }

    /// The reads that wait for the same turn.
    private final class Batch: Sendable {
        let waiters = Locked<[Waiter]>([])
    }

    /// A turn must stay short.
    private static var most: Int { 32 }

    private let read: Read
    /// Further reads of the group join these.
    private let open = Locked<[Group: Batch]>([:])

    package init(_ read: @escaping Read) {
        self.read = read
    }

    /// The value of `key` at some time after this call; nil if there is none.
    ///
    /// `run` runs its argument when it is the group's turn. Only one of the callers that wait runs it.
    package func value(
        of key: Key, in group: Group, _ run: (@escaping Body) async throws -> [Key: Value]
    ) async throws -> Value? {
        while true {
            let waiter = Waiter(key: key)
            let (batch, isFirst) = join(waiter, group)
            if isFirst { await answer(batch, group, run) }
            do { return try await waiter.race.value() } catch is CancellationError where !Task.isCancelled {
                // Only the caller that ran the batch was cancelled.
            }
        }
    }

    /// How many reads wait for the group's next turn.
    func waiting(of group: Group) -> Int {
        open.withLock { $0[group]?.waiters.withLock { $0.count } ?? 0 }
    }

    private func join(_ waiter: Waiter, _ group: Group) -> (Batch, isFirst: Bool) {
        open.withLock { open in
            let (batch, isFirst) = open[group].map { ($0, false) } ?? (Batch(), true)
            let count = batch.waiters.withLock { waiters in
                waiters.append(waiter)
                return waiters.count
            }
            open[group] = count < Self.most ? batch : nil
            return (batch, isFirst)
        }
    }

    private func answer(_ batch: Batch, _ group: Group, _ run: (@escaping Body) async throws -> [Key: Value]) async {
        let outcome: Result<[Key: Value], any Error>
        do {
            outcome = .success(
                try await run { [self] connection in
                    try read(Array(Set(close(batch, group).map(\.key))), group, connection)
                })
        } catch { outcome = .failure(error) }
        for waiter in close(batch, group) { waiter.race.finish(outcome.map { $0[waiter.key] }) }
    }

    /// No more reads join the batch. Returns those that did.
    private func close(_ batch: Batch, _ group: Group) -> [Waiter] {
        open.withLock { open in
            if open[group] === batch { open[group] = nil }
            return batch.waiters.withLock { $0 }
        }
    }
}
