import Glibc
package import Postgres
package import Processes
package import Queue

/// Reads the shared state of the cluster from the database on a scrape, but not more often than it is worth.
///
/// A scrape never waits for long: if the database does not reply, it gets only the metrics of this process.
package final class ClusterMetrics: Sendable {
    private struct State {
        var readAt: ContinuousClock.Instant?
        var took: Duration = .zero
        var isReading = false
        var isKnown = false
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWaiter = 0
    }

    private let instruments: ClusterInstruments
    private let up: Gauge
    private let skew: Family<Gauge>
    private let database: Database
    private let registry: ProcessRegistry
    private let interval: Duration
    private let patience: Duration
    private let state = Locked(State())

    /// A reading is replaced when it is `interval` old, or twenty times the time that it took, whichever is longer.
    package init(
        _ metrics: Metrics, database: Database, registry: ProcessRegistry, budgets: [Budget] = [],
        interval: Duration = .seconds(2), patience: Duration = .seconds(2)
    ) {
        instruments = ClusterInstruments(metrics)
        up = metrics.gauge("waypost_database_up", "1 where the database answers this process, else 0.")[]
        skew = metrics.gauge(
            "waypost_host_clock_skew_seconds",
            "How far this host's clock is ahead of the database's, at least; 0 where that is not sure.")
        let monthBudget = metrics.gauge(
            "waypost_month_budget", "What calls may cost in a calendar month (WAYPOST_MONTHLY_BUDGET).",
            labels: "currency")
        monthBudget.replace(by: Dictionary(budgets.map { ([$0.currency], $0.amount) }, uniquingKeysWith: { $1 }))
        // A pool of its own: no scrape waits for the work, and the work never waits for a scrape.
        self.database = database.beside(size: 1, waitLimit: patience)
        self.registry = registry
        self.interval = interval
        self.patience = patience
        let age = metrics.gauge(
            "waypost_cluster_reading_age_seconds", "Since the numbers of the whole cluster were read from the database."
        )
        age[].read { [state] in
            state.withLock { state in
                state.isKnown ? state.readAt.map { $0.duration(to: .now) / .seconds(1) } ?? .nan : .nan
            }
        }
    }

    /// Reads if it is time. Returns when that is done, or when its patience is over.
    package func refresh() async {
        guard let (number, ends, begins) = enter() else { return }
        if begins { Task { await read() } }
        let alarm = Task { [state, patience] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            state.withLock { $0.waiters.removeValue(forKey: number) }?.finish()
        }
        for await _ in ends {}
        alarm.cancel()
        state.withLock { state in
            // The read hangs: the present numbers are too old, and later ones are for the next scrape.
            if state.isReading { forget(&state) }
        }
    }

    package func close() async { await database.close() }

    /// Returns nil if the last reading is recent enough.
    private func enter() -> (number: Int, ends: AsyncStream<Void>, begins: Bool)? {
        state.withLock { state in
            if !state.isReading, let readAt = state.readAt,
                readAt.duration(to: .now) < max(interval, state.took * 20)
            {
                return nil
            }
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = end
            defer { state.isReading = true }
            return (state.lastWaiter, ends, !state.isReading)
        }
    }

    private func read() async {
        let began = ContinuousClock.now
        let outcome: Result<(ClusterReading, skew: Duration), any Error>
        do {
            outcome = .success(
                try await database.run(within: .seconds(10)) { [registry] database in
                    let reading = try registry.clusterReading(on: database)
                    return (reading, try Self.skew(on: database))
                })
        } catch { outcome = .failure(error) }
        let waiters = state.withLock { state in
            let now = ContinuousClock.now
            state.isReading = false
            // A failure is not cached: the next scrape reads again.
            (state.readAt, state.took) = ((try? outcome.get()) == nil ? nil : now, began.duration(to: now))
            switch outcome {
            case .success(let (reading, skew)):
                state.isKnown = true
                instruments.show(reading)
                up.set(1)
                self.skew.replace(by: [[]: skew / .seconds(1)])
            case .failure: forget(&state)
            }
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.finish() }
    }

    private func forget(_ state: inout State) {
        state.isKnown = false
        instruments.showNothing()
        up.set(0)
        skew.replace(by: [:])
    }

    /// Returns the part of the difference that the round trip to the database does not explain.
    private static func skew(on database: isolated Connection) throws -> Duration {
        let asked = now()
        let told = try JobQueue().clock(on: database)
        let answered = now()
        return asked > told ? asked - told : answered < told ? answered - told : .zero
    }

    private static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
