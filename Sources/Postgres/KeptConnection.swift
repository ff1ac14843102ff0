import Processes

/// The connection that a process keeps for as long as it runs. It hears notifications, repeats one act, such as a
/// heartbeat, and runs short statements of other tasks in between.
///
/// It occupies its thread. So neither a busy pool nor busy cores delay notifications and the act, but a statement does.
package final class KeptConnection: Sendable {
    private struct Request {
        let cancellation: Cancellation
        /// Returns false if the connection can't be used any more.
        let run: @Sendable (isolated Connection) -> Bool
        let refuse: @Sendable () -> Void
    }

    private struct State {
        /// Nil while the connection is closed.
        var interrupt: Interrupt?
        var requests: [Request] = []
        var restsUntil = ContinuousClock.now
    }

    /// A statement that has waited for this long goes to the pool.
    private let patience: Duration
    /// How long the statements of one caller may take.
    private static let limit: Duration = .seconds(2)
    /// After a caller that took longer than this, all use the pool for a while.
    private let usual: Duration
    private static let rest: Duration = .seconds(10)

    private let database: Database
    /// Leads over the pool's URL; nil if `database` does.
    private let detour: Database?
    private let detourLimit: Duration
    private let pool: Database
    private let state = Locked(State())

    /// The connection is not one of the pool. It leads to the direct URL if there is one. While that can't be reached, it
    /// leads over the pool's URL, and tries the direct one again after each `detourLimit`. `waitLimit` is the longest time
    /// to wait for a server that does not answer.
    package init(
        beside pool: Database, waitLimit: Duration, detourLimit: Duration = .seconds(30),
        patience: Duration = .milliseconds(20), usual: Duration = .milliseconds(250)
    ) {
        self.pool = pool
        (self.patience, self.usual) = (patience, usual)
        self.detourLimit = detourLimit
        database = pool.beside(size: 1, waitLimit: waitLimit, isDirect: true)
        detour = database.url == pool.url ? nil : pool.beside(size: 1, waitLimit: waitLimit)
    }

    /// Keeps the connection until the task is cancelled, the connection breaks, `act` throws, or the time on the pool's
    /// URL is over.
    package func keep(
        listeningTo channels: [String] = [], every pause: Duration,
        hear: @escaping @Sendable (Hearing) -> Void = { _ in },
        _ act: @escaping @Sendable (isolated Connection) throws -> Void
    ) async throws {
        let isOpen = Locked(false)
        do {
            try await keep(database, until: nil, listeningTo: channels, every: pause, hear: hear) { connection in
                isOpen.withLock { $0 = true }
                try act(connection)
            }
        } catch {
            guard let detour, !isOpen.withLock({ $0 }), !Task.isCancelled else { throw error }
            let end = ContinuousClock.now + detourLimit
            try await keep(detour, until: end, listeningTo: channels, every: pause, hear: hear, act)
        }
    }

    private func keep(
        _ database: Database, until end: ContinuousClock.Instant?, listeningTo channels: [String],
        every pause: Duration, hear: @escaping @Sendable (Hearing) -> Void,
        _ act: @escaping @Sendable (isolated Connection) throws -> Void
    ) async throws {
        try await database.run { [self] connection in
            if let hearing = try connection.listen(to: channels) { hear(hearing) }
            state.withLock { $0.interrupt = connection.interrupt }
            defer { refuseRequests() }
            var next = ContinuousClock.now
            while end.map({ .now < $0 }) ?? true {
                for notification in connection.takeNotifications() { hear(.heard(notification)) }
                if next <= .now {
                    try act(connection)
                    next = .now + pause
                } else if let request = nextRequest() {
                    guard request.run(connection) else { throw connection.failure(nil, running: nil) }
                } else {
                    try connection.waitForInput(until: next)
                }
            }
        }
    }

    /// Runs short statements, which must not wait for locks for long: on this connection if it is free soon, else on one
    /// of the pool.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        if let value = try await runHere(body) { return value }
        return try await pool.run(body)
    }

    package func close() async {
        await database.close()
        await detour?.close()
    }

    /// Returns nil if the connection is not free soon.
    private func runHere<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value? {
        guard let interrupt = state.withLock({ $0.restsUntil <= .now ? $0.interrupt : nil }) else { return nil }
        let cancellation = Cancellation(interrupt)
        let alarm = Task {
            try await Task.sleep(for: patience)
            remove(cancellation)?.refuse()
        }
        defer { alarm.cancel() }
        return try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(
                    Request(
                        cancellation: cancellation,
                        run: { [self] connection in
                            let began = ContinuousClock.now
                            let use = Use(cancellation, within: Self.limit)
                            let lending = connection.perform(use, first: false, body)
                            if began.duration(to: .now) > usual {
                                state.withLock { $0.restsUntil = .now + Self.rest }
                            }
                            guard case .done(let outcome, let isReusable) = lending else {
                                continuation.resume(returning: nil)
                                return false
                            }
                            continuation.resume(with: outcome.map(Optional.some))
                            return isReusable
                        }, refuse: { continuation.resume(returning: nil) }))
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func add(_ request: Request) {
        let interrupt = state.withLock { state in
            if state.interrupt != nil { state.requests.append(request) }
            return state.interrupt
        }
        if let interrupt { interrupt.fire() } else { request.refuse() }
    }

    private func nextRequest() -> Request? {
        state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    }

    private func remove(_ cancellation: Cancellation) -> Request? {
        state.withLock { state in
            state.requests.firstIndex { $0.cancellation === cancellation }.map { state.requests.remove(at: $0) }
        }
    }

    private func refuseRequests() {
        let requests = state.withLock { state in
            defer { (state.interrupt, state.requests) = (nil, []) }
            return state.requests
        }
        for request in requests { request.refuse() }
    }
}

extension Connection {
    /// The name of a session that listens ends with this, so that others can count those.
    package static let listeningMark = " (listening)"

    /// Returns nil if the session listens already. Through a pooler it can't.
    fileprivate func listen(to channels: [String]) throws -> Hearing? {
        if listens || channels.isEmpty { return nil }
        if isPooled { return .deaf }
        try query(
            "SELECT set_config('application_name', current_setting('application_name') || \(Self.listeningMark), false)"
        )
        for channel in channels { try query("LISTEN \(identifier: channel)") }
        listens = true
        return .listening
    }
}
