import Operations
import Postgres

extension Database {
    /// Runs what a process has to say before it ends, also for a task that was cancelled already.
    ///
    /// It is a courtesy: others notice the silence as well. A database that is away must not keep a process that was told to
    /// stop, so words that take too long are cancelled and not even waited for.
    func sayLast(
        within limit: Duration, _ words: @escaping @Sendable (isolated Connection) throws -> Void
    ) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let saying = Task {
            do { end.yield(.success(try await transaction(words))) } catch { end.yield(.failure(error)) }
        }
        let alarm = Task {
            try await Task.sleep(for: limit)
            end.yield(.failure(ClusterError("no answer within \(limit.text)")))
        }
        defer {
            saying.cancel()
            alarm.cancel()
        }
        // A task of its own: for a cancelled one the stream has ended.
        try await Task { for await end in ends { return try end.get() } }.value
    }
}
