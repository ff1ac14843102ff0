package import Postgres
import Processes

extension Database {
    /// Runs the last statements of a process, even if its task is already cancelled.
    ///
    /// These statements only save time, because other processes notice the silence as well. So they are cancelled after
    /// `limit` and not waited for: a database that is away must not delay a stop.
    package func sayLast(
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
        // In a task of its own, because in a cancelled task the stream has ended.
        try await Task { for await end in ends { return try end.get() } }.value
    }
}
