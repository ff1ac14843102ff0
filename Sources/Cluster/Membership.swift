import Glibc
package import Operations
package import Postgres
package import Queue
import Synchronization

/// Which process this is, on which machine.
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
    private let lanes: [String]
    private let registry: ProcessRegistry
    private let database: Database
    private let log: Log
    private let current: Mutex<Int>

    /// The number under which this process is known just now.
    package var id: Int { current.withLock { $0 } }

    package static func join(
        as role: ProcessRole, name: String, host: ProcessIdentity, lanes: [String] = [], registry: ProcessRegistry,
        database: Database, log: Log
    ) async throws -> Membership {
        let id = try await database.run {
            try registry.register(role, name: name, host: host.host, pid: host.pid, lanes: lanes, on: $0)
        }
        return Membership(id, role, name, host, lanes, registry, database, log)
    }

    private init(
        _ id: Int, _ role: ProcessRole, _ name: String, _ host: ProcessIdentity, _ lanes: [String],
        _ registry: ProcessRegistry, _ database: Database, _ log: Log
    ) {
        current = Mutex(id)
        self.role = role
        self.name = name
        self.host = host
        self.lanes = lanes
        self.registry = registry
        self.database = database
        self.log = log
    }

    /// Beats until the task is cancelled.
    ///
    /// Throws when the database was out of reach for longer than it waits for a silent process: the jobs are somebody
    /// else's by now, and whoever started this process knows better what to do.
    func keepAlive() async throws {
        let clock = ContinuousClock()
        var heardAt = clock.now
        while (try? await Task.sleep(for: registry.heartbeat)) != nil {
            let began = clock.now
            do {
                try await within(registry.silenceLimit) { [self] in try await beat() }
                heardAt = began
            } catch {
                if Task.isCancelled { return }
                log.warning("can't send a heartbeat", ["error": "\(error)"])
                if heardAt.duration(to: clock.now) > registry.silenceLimit {
                    throw ClusterError("the database was out of reach for \(heardAt.duration(to: clock.now).text)")
                }
            }
        }
    }

    /// Gives up waiting for a database that neither answers nor refuses.
    private func within(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw ClusterError("no answer within \(limit.text)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Says that the process lives; one that was struck off meanwhile joins anew, under a new number.
    package func beat() async throws {
        let id = id
        if try await database.run({ [registry, role] in try registry.beat(role, id, on: $0) }) { return }
        log.warning("was silent for too long and lost its jobs; joining again")
        let fresh = try await database.run { [registry, role, name, host, lanes] in
            try registry.register(role, name: name, host: host.host, pid: host.pid, lanes: lanes, on: $0)
        }
        current.withLock { $0 = fresh }
    }

    /// Gives the place up.
    package func leave() async {
        let id = id
        do {
            try await database.sayLast(within: registry.farewellLimit) { [registry, role] in
                try registry.leave(role, id, on: $0)
            }
        } catch {
            // Its silence will be noticed instead.
            log.warning("can't say goodbye", ["error": "\(error)"])
        }
    }
}
