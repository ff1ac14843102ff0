/// Starts services one after another, and stops them in reverse.
///
///     let group = ServiceGroup([server, coordinator, worker], log: log, stopLimit: .seconds(30))
///     try await group.run()
///
/// A service may use the services that started before it during its whole life. The group stops as a whole: when
/// ``stop()`` is called, when its task is cancelled, or when any service ends. A service that returns has not failed.
/// If services throw, ``run()`` throws the first error after all have stopped.
package final class ServiceGroup: Sendable {
    let log: Log
    let stopLimit: Duration
    let clock: any Clock<Duration>
    let tellsFailure: Bool
    private let services: [any Service]
    private let (events, inbox) = AsyncStream.makeStream(of: Event.self)

    enum Event: Sendable, Equatable {
        case ready(Int)
        case ended(Int)
        case stopRequested
        case limitReached(Int)
    }

    /// `stopLimit` is for all services together. After it, each further one has ``lastMoment``. If the group `tellsFailure`, it logs the error;
    /// otherwise the caller of ``run()`` has to report it.
    package init(
        _ services: [any Service], log: Log, stopLimit: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(), tellsFailure: Bool = true
    ) {
        self.services = services
        self.log = log
        self.tellsFailure = tellsFailure
        self.stopLimit = stopLimit
        self.clock = clock
    }

    /// Cancels the services, and returns at once.
    package func stop() {
        inbox.yield(.stopRequested)
    }

    /// Runs until all services have stopped or were left behind. A group can run only once.
    ///
    /// The `manager` is notified when all services are ready and when they begin to stop, and its watchdog is fed.
    package func run(under manager: ServiceManager? = nil) async throws {
        let feeding = Task { await manager?.feedWatchdog() }
        defer { feeding.cancel() }
        // A separate task: an `AsyncStream` ends if its reader is cancelled, but the services must still be waited for.
        let supervision = Task {
            var supervision = Supervision(of: self, events: events.makeAsyncIterator())
            await supervision.start(services)
            if !supervision.isStopping { manager?.send(.ready) }
            await supervision.waitForTheEnd()
            manager?.send(.stopping)
            await supervision.stopInReverse()
            try supervision.verdict()
        }
        try await withTaskCancellationHandler {
            try await supervision.value
        } onCancel: {
            stop()
        }
    }

    /// Runs `service`, and reports in ``events`` when it is ready and when it ends.
    func launch(_ service: any Service, number: Int) -> Task<Void, any Error> {
        Task {
            defer { inbox.yield(.ended(number)) }
            try await service.run { [inbox] in inbox.yield(.ready(number)) }
        }
    }

    /// The time for a service whose turn to stop comes after the limit, because others took too long.
    private static let lastMoment: Duration = .seconds(1)

    /// Reports in ``events`` that service `number` may not take longer to stop. Cancel it to prevent that. `past` is the
    /// time since the group began to stop.
    func watchLimit(number: Int, past: Duration) -> Task<Void, Never> {
        Task {
            guard (try? await clock.sleep(for: max(stopLimit - past, Self.lastMoment))) != nil else { return }
            inbox.yield(.limitReached(number))
        }
    }

    /// Returns a function that returns the time since now.
    func stopwatch() -> () -> Duration {
        func start<Time: Clock<Duration>>(_ clock: Time) -> () -> Duration {
            let began = clock.now
            return { began.duration(to: clock.now) }
        }
        return start(clock)
    }
}
