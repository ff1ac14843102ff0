import Postgres
import Processes

/// Checks several times a second whether the database responds, on a connection of its own. So the state is known at
/// once, and no request waits for a database that doesn't respond.
final class DatabaseWatch<Standing: Sendable>: Sendable {
    /// The last result.
    enum Finding: Sendable {
        /// A recent result is missing, because `watch` does not run.
        case unknown
        case there(Standing)
        case away

        var isAway: Bool { if case .away = self { true } else { false } }
    }

    private static var pause: Duration { .milliseconds(200) }

    private struct State {
        var finding = Finding.unknown
        /// The time of the last response to any query.
        var heard = ContinuousClock.now
        var lastNumber = 0
        var listeners: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())
    private let database: Database
    /// How long the database may not respond before it counts as unreachable.
    private let patience: Duration
    /// The pause while the database is unreachable. Short, so that its return is noticed soon.
    private let shortPause: Duration
    private let standing: @Sendable (isolated Connection) throws -> Standing
    /// The result if the database responds but refuses the query.
    private let refused: Standing
    /// Called when the database becomes unreachable, and when it responds again.
    private let turned: @Sendable (_ isAway: Bool) -> Void

    init(
        _ database: Database, patience: Duration, shortPause: Duration = .milliseconds(20), refused: Standing,
        turned: @escaping @Sendable (_ isAway: Bool) -> Void = { _ in },
        standing: @escaping @Sendable (isolated Connection) throws -> Standing
    ) {
        self.database = database.beside(size: 1, waitLimit: shortPause)
        self.turned = turned
        (self.patience, self.shortPause, self.refused, self.standing) = (patience, shortPause, refused, standing)
    }

    /// Records that the database has answered a request: a busy database may delay the watch's own query.
    func hear() {
        let now = ContinuousClock.now
        state.withLock { $0.heard = now }
    }

    var finding: Finding { state.withLock { $0.finding } }

    var isAway: Bool { finding.isAway }

    /// Checks repeatedly until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let look = Task { [database, standing] in
                try await database.run(within: .seconds(5)) { connection in
                    // No account has the number 0, so this connection sees no account's rows.
                    try connection.set("waypost.account", to: "0")
                    return try standing(connection)
                }
            }
            let alarm = Task {
                try await Task.sleep(for: patience)
                while true {
                    let silence = ContinuousClock.now - state.withLock { $0.heard }
                    if silence >= patience { return note(.away) }
                    try await Task.sleep(for: patience - silence)
                }
            }
            let outcome = await withTaskCancellationHandler {
                await look.result
            } onCancel: {
                look.cancel()
            }
            alarm.cancel()
            switch outcome {
            case .success(let standing): note(.there(standing))
            // The requests themselves will find out what the refusal means for them.
            case .failure(let error as DatabaseError) where !error.isConnectionLost && !error.isWorthRetrying:
                note(.there(refused))
            case .failure: note(.away)
            }
            try? await Task.sleep(for: isAway ? shortPause : Self.pause)
        }
        state.withLock { $0.finding = .unknown }
        await database.close()
    }

    private func note(_ finding: Finding) {
        let (hasTurned, listeners) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            let hasTurned = state.finding.isAway != finding.isAway
            state.finding = finding
            guard finding.isAway else { return (hasTurned, []) }
            defer { state.listeners = [:] }
            return (hasTurned, Array(state.listeners.values))
        }
        if hasTurned { turned(finding.isAway) }
        for tell in listeners { tell() }
    }

    /// Runs `body`. Throws ``RequestError/databaseIsAway`` as soon as the database is unreachable, and does not wait
    /// for `body` then.
    ///
    /// A frozen database doesn't confirm a cancellation, and a task that waits for a connection to it can't be woken.
    func whileThere<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let race = Race<Value>()
        let number = try state.withLock { state in
            if case .away = state.finding { throw RequestError.databaseIsAway }
            state.lastNumber += 1
            state.listeners[state.lastNumber] = { race.finish(.failure(RequestError.databaseIsAway)) }
            return state.lastNumber
        }
        defer { state.withLock { $0.listeners[number] = nil } }
        let work: @Sendable () async -> Void = {
            do { race.finish(.success(try await body())) } catch { race.finish(.failure(error)) }
        }
        let task = Task.immediate(
            executorPreference: withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        ) { await work() }
        return try await withCancellationHandler {
            do { return try await race.value() } catch {
                task.cancel()
                throw error
            }
        } onCancel: {
            task.cancel()
        }
    }
}
