import Glibc
package import Postgres
package import Processes
package import Queue

/// A whole cluster on this machine: a private PostgreSQL, a coordinator and workers.
///
/// `open` starts the server; `services` are the processes that use it. The owner of the cluster closes it last.
package final class LocalCluster: Sendable {
    package let url: String

    private let folder: ClusterFolder?
    private let lock: FolderLock?
    private let server: PrivateServer

    private init(folder: ClusterFolder?, lock: FolderLock?, server: PrivateServer) {
        self.folder = folder
        self.lock = lock
        self.server = server
        url = server.url
    }

    /// Starts the server of the cluster in `folder`, whose data stays when the cluster stops. Other commands can't find
    /// it before ``announce()``.
    package static func open(in folder: ClusterFolder) async throws -> LocalCluster {
        let lock = try folder.lock()
        // A cluster that was killed leaves its URL behind.
        folder.withdraw()
        let server = try await PrivateServer.start(in: folder.serverFolder)
        return LocalCluster(folder: folder, lock: lock, server: server)
    }

    /// Starts a server that leaves nothing behind when the cluster stops.
    package static func openTemporary() async throws -> LocalCluster {
        let server = try await PrivateServer.start(in: "/tmp/waypost-cluster-\(getpid())", .temporary)
        return LocalCluster(folder: nil, lock: nil, server: server)
    }

    /// Makes the cluster visible to other commands in the folder. Before that they wait, because its database is not
    /// ready.
    package func announce() throws {
        try folder?.announce(server.url)
    }

    /// Returns the processes of the cluster, in the order in which they start. Each line of their log goes to `tell`,
    /// if it is given. `ofWorker` returns settings for one worker, which are added to those of all.
    package func services(
        program: String, workers: Int, environment: [String: String],
        ofWorker: (Int) -> [String: String] = { _ in [:] }, database: Database, registry: ProcessRegistry, log: Log,
        tell: (@Sendable (String) -> Void)? = nil
    ) -> [any Service] {
        var environment = environment
        for name in ["DATABASE_URL", "WAYPOST_DIRECT_URL", "WAYPOST_READ_URL"] {
            (environment[name], environment[name + "_FILE"]) = (nil, nil)
        }
        environment["DATABASE_URL"] = url
        environment["WAYPOST_LIFELINE"] = "true"
        // Swift's backtracer would hold a crashed process for a minute, and write its memory into the log, with names.
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
        let coordinator = Crew.Member(name: "coordinator", arguments: ["coordinator"])
        let crew = (1...workers).map {
            Crew.Member(
                name: "worker-\($0)", arguments: ["worker", "--name", "worker-\($0)"], environment: ofWorker($0))
        }
        return [
            ServerWatch(server: server, log: log),
            Crew(
                program: program, members: [coordinator] + crew, environment: environment, database: database,
                registry: registry, log: log, tell: tell),
        ]
    }

    /// Stops the server.
    package func close() async {
        await server.stop()
        folder?.withdraw()
    }
}

/// Ends the cluster when its PostgreSQL ends, and restarts the server when its program was upgraded.
private struct ServerWatch: Service {
    let name = "postgres"
    let server: PrivateServer
    let log: Log

    func run(ready: @escaping @Sendable () -> Void) async throws {
        let (ended, end) = AsyncStream.makeStream(of: ChildProcess.Exit.self)
        let watch = Task { end.yield(await server.waitForEnd()) }
        let upgrades = Task { await restartAfterUpgrades() }
        defer {
            watch.cancel()
            upgrades.cancel()
        }
        ready()
        for await exit in ended {
            let reasons = server.log.map { "; the reasons are at the end of \($0)" } ?? ""
            throw ClusterError("the private PostgreSQL ended unexpectedly (\(exit))\(reasons)")
        }
    }

    private func restartAfterUpgrades() async {
        guard var running = server.programFile else { return }
        var seen = running
        while (try? await Task.sleep(for: .seconds(2))) != nil {
            guard let found = server.programFile else { continue }
            // Two equal readings: the upgrade has put all its files in place.
            if found != running, found == seen {
                log.warning("PostgreSQL was upgraded on this machine; starting the private server again")
                do { try await server.restart() } catch {
                    log.error("can't start the private PostgreSQL again", ["error": "\(error)"])
                }
                running = found
            }
            seen = found
        }
    }
}
