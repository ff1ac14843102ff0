package import HTTP
package import Postgres
package import Processes
package import Questions
package import Queue

/// Claims jobs, makes their calls and records the results.
///
/// When its task is cancelled it drains: it claims no more, returns jobs that have not begun, finishes the running
/// calls, and removes its row.
package struct Worker: Service {
    package let name: String

    let database: Database
    let works: [any LaneWork]
    let readLanes: (@Sendable (isolated Connection) throws -> [ChangingLane])?
    let queue: JobQueue
    let registry: ProcessRegistry
    let host: ProcessIdentity
    let callsAtOnce: Int
    let poll: Duration
    let outageLimit: Duration
    let log: Log
    let instruments: WorkerInstruments?
    let tracer: Tracer?
    /// The state of this worker while it runs.
    package let vitals = ProcessVitals()

    /// `callsAtOnce` limits the calls in hand in each lane; a lane may limit them further. An idle worker is notified
    /// of new jobs, and also looks about every `poll`. It also works in the lanes that `readLanes` returns, which may
    /// change. While the database is away it keeps its answers for at most `outageLimit`.
    package init(
        name: String, database: Database, works: [any LaneWork],
        readLanes: (@Sendable (isolated Connection) throws -> [ChangingLane])? = nil, queue: JobQueue = JobQueue(),
        registry: ProcessRegistry, host: ProcessIdentity = .current, callsAtOnce: Int,
        poll: Duration = .seconds(1), outageLimit: Duration = .seconds(600), log: Log,
        instruments: WorkerInstruments? = nil, tracer: Tracer? = nil
    ) {
        self.name = name
        self.database = database
        self.works = works
        self.readLanes = readLanes
        self.queue = queue
        self.registry = registry
        self.host = host
        self.callsAtOnce = callsAtOnce
        self.poll = poll
        self.outageLimit = outageLimit
        self.log = log.with(worker: name)
        self.instruments = instruments
        self.tracer = tracer
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        let lanes = works.map(\.lane)
        let membership = try await Membership.join(
            as: .worker, name: name, host: host, lanes: lanes, registry: registry, database: database, log: log)
        vitals.begin(membership)
        log.info(
            "started",
            [
                "lanes": lanes.joined(separator: ","),
                "connections_at_most": ConnectionNeeds.process(work: database.size),
            ])
        ready()
        let loops = works.map { loop(of: $0, membership) }
        let changingLanes = readLanes.map { ChangingLanes($0, of: self, membership: membership) }
        // Heartbeats continue during the drain: a silent worker would lose the calls that it is waiting for.
        let (hearings, hear) = AsyncStream.makeStream(of: Hearing.self)
        let heart = Task {
            do {
                try await membership.keepAlive(
                    outageLimit: outageLimit, listeningTo: [JobQueue.readyChannel, JobQueue.lanesChannel]
                ) { hear.yield($0) }
            } catch {
                for loop in loops { loop.send(.abandon) }
                changingLanes?.abandon()
                throw error
            }
        }
        let isDeaf = Locked(false)
        let ear = Task { await pass(on: hearings, to: loops, and: changingLanes, isDeaf) }
        let lookout = Task {
            await Lookout(worker: self, membership: membership, isDeaf: isDeaf).run {
                loops + (changingLanes?.loops ?? [])
            }
        }
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                for loop in loops { group.addTask { await loop.run() } }
                if let changingLanes { group.addTask { await changingLanes.run() } }
            }
        } onCancel: {
            vitals.stop()
        }
        ear.cancel()
        lookout.cancel()
        heart.cancel()
        try await heart.value
        await membership.leave()
        log.info("stopped")
    }

    private func loop(of work: some LaneWork, _ membership: Membership) -> LaneLoop {
        LaneLoop(work, of: self, membership: membership)
    }

    /// One connection listens for all lanes of the process.
    private func pass(
        on hearings: AsyncStream<Hearing>, to loops: [LaneLoop], and changingLanes: ChangingLanes?,
        _ isDeaf: Locked<Bool>
    ) async {
        for await hearing in hearings {
            let all = loops + (changingLanes?.loops ?? [])
            switch hearing {
            // Notifications were missed before it listened: the lane may have been halted.
            case .listening:
                isDeaf.withLock { $0 = false }
                for loop in all { loop.send(.recall) }
                changingLanes?.look()
            case .deaf:
                isDeaf.withLock { $0 = true }
                log.info(
                    "gets no notifications: DATABASE_URL leads through a pooler, and WAYPOST_DIRECT_URL is not set or "
                        + "can't be reached")
            case .heard(let notification):
                let isReady = notification.channel == JobQueue.readyChannel
                for loop in all where loop.lane == notification.payload {
                    if isReady { loop.send(.look) } else { loop.send(.recall) }
                }
                // A lane that is not one of the fixed ones may be new, or changed.
                if !isReady, !loops.contains(where: { $0.lane == notification.payload }) { changingLanes?.look() }
            }
        }
    }
}
