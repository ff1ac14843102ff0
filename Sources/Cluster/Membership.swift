import Glibc
package import Postgres
package import Processes
package import Queue
import Schema

/// The identity of a process: its machine and its process id.
package struct ProcessIdentity: Sendable {
    package let host: String
    package let pid: Int

    package init(host: String, pid: Int) {
        self.host = host
        self.pid = pid
    }

    package static var current: Self {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return Self(
            host: String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
            pid: Int(getpid()))
    }
}

/// A process's row in the database, kept alive by a heartbeat.
package final class Membership: Sendable {
    private let role: ProcessRole
    private let name: String
    private let host: ProcessIdentity
    private let lanes: Locked<[String]>
    private let registry: ProcessRegistry
    private let database: Database
    /// Sends the heartbeats. An idle worker has no other connection.
    private let heart: KeptConnection
    private let log: Log
    /// The present time. The process may have been stopped between two readings.
    private let now: @Sendable () -> ContinuousClock.Instant
    private let current: Locked<Int>
    private let heardAt: Locked<ContinuousClock.Instant>

    /// The database's clock as the process found it at its start.
    let clock: ServerClock
    /// True if it was known then that the clock had not been set, or by how much.
    let knowsClock: Bool
    /// How many workers shared the looks that one would make, when the process registered.
    let crowd: Double

    /// The time since the last heartbeat that the database acknowledged.
    package var silence: Duration { heardAt.withLock { $0 }.duration(to: now()) }

    /// True if no heartbeat is missing.
    package var isHeard: Bool { silence < registry.heartbeat * 2 }

    /// The id under which this process is registered at present.
    package var id: Int { current.withLock { $0 } }

    package static func join(
        as role: ProcessRole, name: String, host: ProcessIdentity, lanes: [String] = [], registry: ProcessRegistry,
        database: Database, log: Log, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async throws -> Membership {
        // Read the clock before the row exists: then any process that sees the row reads the clock later than this one.
        // A step of the clock changes many rows, and may deadlock with transactions that change them in another order,
        // so it is retried. A broken connection is retried as well. If a first registration succeeded without a reply,
        // its row sends no heartbeat and is removed.
        let (clock, knowsClock, id, crowd) = try await Database.retrying(
            atMost: 5, where: { $0.isWorthRetrying || $0.isConnectionLost }
        ) {
            try await database.run { db throws in
                var clock = ServerClock()
                let knowsClock = try clock.begin(of: JobQueue(), log, on: db)
                // The worker has no id yet, which matters only for a lane.
                let crowd = role == .worker ? try JobQueue().lookForJobs(in: [], for: 0, on: db).crowd : 1
                // The last statement: a worker that is stopped before it leaves no row.
                let id = try registry.register(
                    role, name: name, host: host.host, pid: host.pid, lanes: lanes, on: db)
                return (clock, knowsClock, id, crowd)
            }
        }
        return Membership(id, clock, knowsClock, crowd, role, name, host, lanes, registry, database, log, now)
    }

    private init(
        _ id: Int, _ clock: ServerClock, _ knowsClock: Bool, _ crowd: Double, _ role: ProcessRole, _ name: String,
        _ host: ProcessIdentity, _ lanes: [String], _ registry: ProcessRegistry, _ database: Database, _ log: Log,
        _ now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        current = Locked(id)
        self.clock = clock
        self.knowsClock = knowsClock
        self.crowd = crowd
        self.role = role
        self.name = name
        self.host = host
        self.lanes = Locked(lanes)
        self.registry = registry
        self.database = database
        heart = KeptConnection(beside: database, waitLimit: registry.heartbeat)
        self.log = log
        self.now = now
        heardAt = Locked(now())
    }

    /// Sends heartbeats until the task is cancelled, on a connection and a thread of its own, so that a busy pool or
    /// busy cores don't delay them. The same connection hears the notifications of `channels`.
    ///
    /// While the database is out of reach or out of resources, the process stays alive with the answers that it holds,
    /// for up to `outageLimit`; for ever if that is nil. Then it throws, and its supervisor decides. If the database
    /// replies but refuses the heartbeat, it throws after the silence limit. If the schema is one that this program
    /// would damage, it throws at once.
    func keepAlive(
        outageLimit: Duration?, listeningTo channels: [String] = [],
        hear: @escaping @Sendable (Hearing) -> Void = { _ in }
    ) async throws {
        var heardBeforeFailure: ContinuousClock.Instant?
        while !Task.isCancelled {
            do {
                try await heart.keep(listeningTo: channels, every: registry.heartbeat, hear: hear) { [self] database in
                    let began = now()
                    try database.within(registry.heartbeat * 2) { try beat(on: $0) }
                    heardAt.withLock { $0 = began }
                }
            } catch {
                if Task.isCancelled { break }
                if error is SchemaError {
                    await heart.close()
                    throw error
                }
                let heardAt = heardAt.withLock { $0 }
                let silence = heardAt.duration(to: now())
                // A process that was stopped for long finds that its heartbeat took too long, and tries once more.
                let isFirst = heardAt != heardBeforeFailure
                heardBeforeFailure = heardAt
                log.warning("can't send a heartbeat", ["error": "\(error)", "unheard_for": silence])
                let isAway =
                    (error as? DatabaseError).map {
                        $0.isConnectionLost || $0.isWorthRetrying || $0.isShortOfResources || $0.isOverTime
                    } ?? false
                let limit = isAway ? outageLimit.map { max($0, registry.silenceLimit) } : registry.silenceLimit
                if let limit, silence > limit, !isFirst {
                    await heart.close()
                    throw ClusterError(
                        isAway
                            ? "the database was out of reach for \(silence.text)"
                            : "the database refused the heartbeats for \(silence.text): \(error)")
                }
                // A connection that only broke is replaced at once, because notifications are missed meanwhile.
                let pause = isFirst ? .milliseconds(50) : min(registry.heartbeat, .seconds(1))
                try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
            }
        }
        await heart.close()
    }

    /// Runs short statements on the connection of the heartbeats, or on one of the pool.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await heart.run(body)
    }

    /// Sends a heartbeat. A process that was removed meanwhile registers again, with a new id.
    package func beat() async throws {
        try await run { [self] in try beat(on: $0) }
    }

    private func beat(on database: isolated Connection) throws {
        try database.refuseBreakingMigrations(unknownTo: Schema.scripts)
        let id = id
        if try registry.beat(role, id, memory: OwnProcess.residentBytes, on: database) { return }
        log.warning("was silent for too long and lost its jobs; registering again")
        let fresh = try registry.register(
            role, name: name, host: host.host, pid: host.pid, lanes: lanes.withLock { $0 }, on: database)
        current.withLock { $0 = fresh }
    }

    /// Stores the lanes from which the worker takes jobs. A later registration stores them too.
    func serve(_ lanes: [String]) async {
        let isNews = self.lanes.withLock { known in
            defer { known = lanes }
            return known != lanes
        }
        guard isNews else { return }
        do {
            try await run { [registry, id] in try registry.serve(lanes, as: id, on: $0) }
        } catch { log.warning("can't say which lanes it serves", ["error": "\(error)"]) }
    }

    /// Removes the process's row.
    package func leave() async {
        let id = id
        do {
            try await database.sayLast(within: registry.farewellLimit) { [registry, role] in
                try registry.leave(role, id, on: $0).updateSubjects(on: $0)
            }
        } catch {
            // Other processes will notice its silence instead.
            log.warning("can't report this process's end", ["error": "\(error)"])
        }
    }
}
