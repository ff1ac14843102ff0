package import Postgres
import Processes

/// Gathers an account's reads that wait for a turn, so that one statement answers all of them.
///
/// A short read costs less than its turn: two thread switches, a round trip, and the start of a statement.
package final class JointReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Returns the values that exist.
    package typealias Read = @Sendable (_ keys: [Key], _ account: Int, isolated Connection) throws -> [Key: Value]

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
    /// By account. Further reads join these.
    private let open = Locked<[Int: Batch]>([:])

    package init(_ read: @escaping Read) {
        self.read = read
    }

    /// The value of `key` at some time after this call; nil if there is none.
    package func value(of key: Key, in database: AccountDatabase) async throws -> Value? {
        while true {
            let waiter = Waiter(key: key)
            let (batch, isFirst) = join(waiter, account: database.account)
            if isFirst { await run(batch, in: database) }
            do { return try await waiter.race.value() } catch is CancellationError where !Task.isCancelled {
                // Only the caller that ran the batch was cancelled.
            }
        }
    }

    /// How many reads wait for the account's next turn.
    func waiting(of account: Int) -> Int {
        open.withLock { $0[account]?.waiters.withLock { $0.count } ?? 0 }
    }

    private func join(_ waiter: Waiter, account: Int) -> (Batch, isFirst: Bool) {
        open.withLock { open in
            let (batch, isFirst) = open[account].map { ($0, false) } ?? (Batch(), true)
            let count = batch.waiters.withLock { waiters in
                waiters.append(waiter)
                return waiters.count
            }
            open[account] = count < Self.most ? batch : nil
            return (batch, isFirst)
        }
    }

    private func run(_ batch: Batch, in database: AccountDatabase) async {
        await letOthersJoin()
        do {
            try await database.run { [read] connection in
                let waiters = close(batch, account: database.account)
                let values = Result {
                    try read(Array(Set(waiters.map(\.key))), database.account, connection)
                }
                for waiter in waiters { waiter.race.finish(values.map { $0[waiter.key] }) }
            }
        } catch {
            for waiter in close(batch, account: database.account) { waiter.race.finish(.failure(error)) }
        }
    }

    /// Lets the tasks run that are ready on the same thread. `Task.yield()` would leave the thread.
    private func letOthersJoin(isolation: isolated (any Actor)? = #isolation) async {
        await Task { _ = isolation }.value
    }

    /// No more reads join the batch. Returns those that did.
    private func close(_ batch: Batch, account: Int) -> [Waiter] {
        open.withLock { open in
            if open[account] === batch { open[account] = nil }
            return batch.waiters.withLock { waiters in
                defer { waiters = [] }
                return waiters
            }
        }
    }
}
