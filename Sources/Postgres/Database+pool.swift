import Processes

/// The state of the connection pool: idle connections and waiting callers. It does no I/O; `Database` guards it with a
/// lock.
struct Pool {
    /// The caller's next step.
    enum Turn: Sendable {
        case use(Connection)
        /// Open a new connection; its place in the pool is reserved.
        case open
    }

    struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Turn, any Error>
    }

    /// The one that was given back last comes last, and is lent first.
    var idle: [(connection: Connection, since: ContinuousClock.Instant)] = []
    /// True while a task closes what was idle for too long.
    var isWatched = false
    /// The number of connections that are idle, lent or being opened.
    var taken = 0
    var waiters: [Waiter] = []
    var lastNumber = 0
    var isClosed = false

    /// A turn, if one is free now. Callers that already wait come first.
    mutating func turn(_ options: Database.Options) -> Turn? {
        guard waiters.isEmpty else { return nil }
        if let idle = idle.popLast() { return .use(idle.connection) }
        guard taken < (options.openingDelay == .zero ? options.size : 1) else { return nil }
        taken += 1
        return .open
    }

    /// Removes a caller that has waited for long, and reserves a place for another connection, if there may be one.
    mutating func open(for number: Int, size: Int) -> Waiter? {
        guard taken < size, let waiter = remove(number) else { return nil }
        taken += 1
        return waiter
    }

    /// Removes the connections that have been idle since `instant` or longer.
    mutating func removeIdle(since instant: ContinuousClock.Instant) -> [Connection] {
        let old = idle.prefix { $0.since <= instant }.map(\.connection)
        idle.removeFirst(old.count)
        taken -= old.count
        return old
    }

    mutating func remove(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }
}

/// How many of a pool's connections are in use.
package struct PoolUse: Sendable {
    /// Connections that are lent, or are being opened.
    package let busy: Int
    package let idle: Int
    /// Callers that wait for a connection.
    package let waiting: Int
}

extension Database {
    package var use: PoolUse {
        state.withLock { PoolUse(busy: $0.taken - $0.idle.count, idle: $0.idle.count, waiting: $0.waiters.count) }
    }

    func borrow() async throws -> Connection {
        let deadline = ContinuousClock.now + options.waitLimit
        switch try await nextTurn() {
        case .use(let connection): return connection
        case .open: return try await open(before: deadline)
        }
    }

    func giveBack(_ connection: Connection, isReusable: Bool) {
        // A broken connection is closed here, on its own thread, when its last reference is released.
        let (waiter, turn, needsWatch) = state.withLock { pool -> (Pool.Waiter?, Pool.Turn, Bool) in
            let isKept = isReusable && !pool.isClosed
            if !pool.waiters.isEmpty { return (pool.waiters.removeFirst(), isKept ? .use(connection) : .open, false) }
            guard isKept else {
                pool.taken -= 1
                return (nil, .open, false)
            }
            pool.idle.append((connection, .now))
            defer { pool.isWatched = true }
            return (nil, .open, !pool.isWatched)
        }
        waiter?.continuation.resume(returning: turn)
        if needsWatch { watchIdle() }
    }

    private func watchIdle() {
        Task { [weak self] in
            while let next = await self?.closeIdle(at: .now) { try await Task.sleep(until: next) }
        }
    }

    /// Closes the connections that have been idle for the limit. Returns when to look again; nil if none is idle.
    @discardableResult
    package func closeIdle(at now: ContinuousClock.Instant) async -> ContinuousClock.Instant? {
        let (old, next) = state.withLock { pool in
            let old = pool.removeIdle(since: now - options.idleLimit)
            pool.isWatched = !pool.idle.isEmpty
            return (old, pool.idle.first.map { $0.since + options.idleLimit })
        }
        for connection in old { await connection.close() }
        return next
    }

    /// Closes idle connections, refuses waiting callers, and closes lent connections when they are given back.
    package func close() async {
        let (idle, waiters) = state.withLock { pool in
            pool.isClosed = true
            pool.taken -= pool.idle.count
            defer { (pool.idle, pool.waiters) = ([], []) }
            return (pool.idle.map(\.connection), pool.waiters)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: Self.closed) }
        for connection in idle { await connection.close() }
    }

    private func nextTurn() async throws -> Pool.Turn {
        try Task.checkCancellation()
        let number = try state.withLock { pool -> Int in
            guard !pool.isClosed else { throw Self.closed }
            pool.lastNumber += 1
            return pool.lastNumber
        }
        if let turn = state.withLock({ $0.turn(options) }) { return turn }
        let alarm = Task {
            if options.openingDelay > .zero {
                try await Task.sleep(for: options.openingDelay)
                state.withLock { $0.open(for: number, size: options.size) }?.continuation.resume(returning: .open)
            }
            try await Task.sleep(for: options.waitLimit)
            refuse(number, because: waitedTooLong)
        }
        defer { alarm.cancel() }
        return try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(Pool.Waiter(number: number, continuation: continuation))
            }
        } onCancel: {
            refuse(number, because: CancellationError())
        }
    }

    private func wait(_ waiter: Pool.Waiter) {
        let outcome = state.withLock { pool -> Result<Pool.Turn, any Error>? in
            // A later cancellation finds the waiter in the list; an earlier one is seen here.
            if Task.isCancelled { return .failure(CancellationError()) }
            if pool.isClosed { return .failure(Self.closed) }
            if let turn = pool.turn(options) { return .success(turn) }
            pool.waiters.append(waiter)
            return nil
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
    }

    private func refuse(_ number: Int, because error: any Error) {
        state.withLock { $0.remove(number) }?.continuation.resume(throwing: error)
    }

    /// Opens a connection. It retries while the server is down only for a moment.
    private func open(before deadline: ContinuousClock.Instant) async throws -> Connection {
        do {
            return try await Self.retrying(
                until: deadline,
                where: { [self] in $0.isWorthRetrying && !Task.isCancelled && !state.withLock { $0.isClosed } }
            ) { [url, options] in try await Connection.open(url, options) }
        } catch {
            giveUpPlace()
            throw Task.isCancelled ? CancellationError() : error
        }
    }

    /// Called when a connection can't be opened: the next waiting caller tries to open one.
    private func giveUpPlace() {
        let waiter = state.withLock { pool -> Pool.Waiter? in
            if !pool.waiters.isEmpty { return pool.waiters.removeFirst() }
            pool.taken -= 1
            return nil
        }
        waiter?.continuation.resume(returning: .open)
    }

    private static var closed: DatabaseError { DatabaseError(message: "this pool of connections is closed") }

    private var waitedTooLong: DatabaseError {
        DatabaseError(
            message: "all \(options.size) connections were in use for \(options.waitLimit.formattedSeconds)",
            hint: "allow more connections, or find what holds them so long", isWorthRetrying: true)
    }
}
