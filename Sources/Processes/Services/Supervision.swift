/// One run of a ``ServiceGroup``: running services, ended services and the first failure.
struct Supervision {
    private let group: ServiceGroup
    private var events: AsyncStream<ServiceGroup.Event>.Iterator
    private var started: [(service: any Service, task: Task<Void, any Error>)] = []
    private var ended: Set<Int> = []
    private(set) var isStopping = false
    private var failure: (any Error)?
    private var leftBehind: [String] = []

    init(of group: ServiceGroup, events: AsyncStream<ServiceGroup.Event>.Iterator) {
        self.group = group
        self.events = events
    }

    /// Starts the services in order, each after the previous one is ready, until something ends the group.
    mutating func start(_ services: [any Service]) async {
        for (number, service) in services.enumerated() where !isStopping {
            started.append((service, group.launch(service, number: number)))
            while !isStopping, await next() != .ready(number) {}
            if !isStopping { group.log.info("ready", ["service": service.name]) }
        }
        isStopping = isStopping || services.isEmpty
    }

    mutating func waitForTheEnd() async {
        while !isStopping { _ = await next() }
    }

    /// Cancels one service after another and waits for each, the last started first.
    mutating func stopInReverse() async {
        let past = group.stopwatch()
        for (number, (service, task)) in started.enumerated().reversed() where !ended.contains(number) {
            group.log.debug("stopping", ["service": service.name])
            task.cancel()
            let limit = group.watchLimit(number: number, past: past())
            defer { limit.cancel() }
            while !ended.contains(number), await next() != .limitReached(number) {}
            if !ended.contains(number) { leaveBehind(service) }
        }
    }

    /// Throws the first error of a service, or an error that names the services left behind. The log has the rest.
    func verdict() throws {
        if let failure { throw failure }
        if !leftBehind.isEmpty { throw StopLimitExceeded(services: leftBehind, limit: group.stopLimit) }
    }

    /// Waits for the next event and records it.
    private mutating func next() async -> ServiceGroup.Event? {
        let event = await events.next(isolation: #isolation)
        switch event {
        case .ended(let number):
            ended.insert(number)
            await noteEnd(of: started[number].service, task: started[number].task)
            isStopping = true
        case .stopRequested, nil: isStopping = true
        case .ready, .limitReached: break
        }
        return event
    }

    private mutating func noteEnd(of service: any Service, task: Task<Void, any Error>) async {
        switch await task.result {
        case .failure(let error) where !(error is CancellationError && task.isCancelled):
            if group.tellsFailure || failure != nil {
                group.log.error("failed", ["service": service.name, "error": "\(error)"])
            }
            failure = failure ?? error
        case _ where task.isCancelled:
            group.log.info("stopped", ["service": service.name])
        default:
            group.log.info("ended by itself; stopping the others", ["service": service.name])
        }
    }

    private mutating func leaveBehind(_ service: any Service) {
        leftBehind.append(service.name)
        group.log.error(
            "did not stop in time and was left behind", ["service": service.name, "limit": group.stopLimit])
    }
}
