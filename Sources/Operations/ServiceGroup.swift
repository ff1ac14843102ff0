/// Starts services one after another, and stops them in reverse.
///
///     let group = ServiceGroup([server, coordinator, worker], log: log, stopLimit: .seconds(30))
///     try await group.run()
///
/// Whoever starts later may use what started earlier, from its first moment to its last. The group stops as a whole:
/// when ``stop()`` is called, when the task that runs it is cancelled, or when any service ends. A service that
/// simply returned is no failure; one that threw is, and ``run()`` throws the first such error after all have stopped.
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

    /// `stopLimit` is for each service, counted from the moment it is asked to stop. Unless the group `tellsFailure` in
    /// the log, the error that ``run()`` throws is for whoever catches it to tell.
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

    /// Asks the services to stop, and returns at once.
    package func stop() {
        inbox.yield(.stopRequested)
    }

    /// Runs until all services have stopped, or were left behind. A group runs once.
    package func run() async throws {
        // A task of its own: an `AsyncStream` ends for a cancelled reader, but the services must still be waited for.
        let supervision = Task {
            var supervision = Supervision(of: self, events: events.makeAsyncIterator())
            await supervision.start(services)
            await supervision.waitForTheEnd()
            await supervision.stopInReverse()
            try supervision.verdict()
        }
        try await withTaskCancellationHandler {
            try await supervision.value
        } onCancel: {
            stop()
        }
    }

    /// Runs `service`, and says in ``events`` what becomes of it.
    func launch(_ service: any Service, number: Int) -> Task<Void, any Error> {
        Task {
            defer { inbox.yield(.ended(number)) }
            try await service.run { [inbox] in inbox.yield(.ready(number)) }
        }
    }

    /// Says in ``events`` when the limit for service `number` has passed. Cancel it to keep it quiet.
    func watchLimit(number: Int) -> Task<Void, Never> {
        Task {
            guard (try? await clock.sleep(for: stopLimit)) != nil else { return }
            inbox.yield(.limitReached(number))
        }
    }
}
