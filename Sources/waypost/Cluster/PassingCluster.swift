import Cluster
import Postgres
import Processes
import Terminal

extension Application {
    /// Does `work` on the existing cluster, or else on a private one that ends with the work. If it is interrupted, it
    /// prints how to resume.
    static func withCluster<Value: Sendable>(
        workers: Int, isTemporary: Bool = false,
        _ work: @escaping @Sendable (Application) async throws -> Value
    ) async throws -> Value {
        let settings = try Settings.current()
        if !isTemporary { try await settings.waitForCluster() }
        let ownsCluster = isTemporary || (settings.databaseURL == nil && settings.folder.runningURL == nil)
        let result = Locked<Result<Value, any Error>?>(nil)
        if ownsCluster {
            let cluster = try await openPrivate(settings, workers: workers, isTemporary: isTemporary)
            try await cluster.run(Foreground(work: work, app: cluster.app, result: result), quietly: true)
        } else {
            let app = try await Application.forCommand()
            let foreground = Foreground(work: work, app: app, result: result)
            let log = Log(level: .warning, format: settings.logFormat)
            try await ServiceGroup([foreground], log: log, stopLimit: settings.stopLimit, tellsFailure: false)
                .runUntilSignalled()
            await app.database.close()
        }
        guard let result = result.withLock({ $0 }) else { throw ExitCode(130) }
        return try result.get()
    }

    /// Reads from the existing database, or else from that of the private cluster, without starting its processes. If
    /// there was never one, it reads from an empty temporary one.
    static func withDatabase<Value: Sendable>(
        _ look: @Sendable (Application) async throws -> Value
    ) async throws -> Value {
        let settings = try Settings.current()
        try await settings.waitForCluster()
        if settings.databaseURL != nil || settings.folder.runningURL != nil {
            let app = try await Application.forCommand()
            let value = try await look(app)
            await app.database.close()
            return value
        }
        let cluster = try await openPrivate(settings, workers: 0, isTemporary: !settings.folder.hasServer)
        return try await cluster.look(look)
    }

    static func openPrivate(
        _ settings: Settings, workers: Int, isTemporary: Bool
    ) async throws -> PrivateCluster {
        let screen = Screen.errors
        if screen.isTerminal { screen.write("Starting a private PostgreSQL …") }
        defer { if screen.isTerminal { screen.clearLine() } }
        return try await PrivateCluster.open(settings, workers: workers, isTemporary: isTemporary)
    }
}

extension Settings {
    /// Waits until a cluster that was started in the folder is ready, and prints that it waits.
    func waitForCluster() async throws {
        guard databaseURL == nil, folder.isPreparing else { return }
        Screen.errors.writeLine("A cluster is starting in \(folder.path). Waiting until it is ready.")
        while folder.isPreparing { try await Task.sleep(for: .milliseconds(100)) }
    }
}

/// The work as a service: when it ends, the cluster around it stops.
private struct Foreground<Value: Sendable>: Service {
    let name = "work"
    let work: @Sendable (Application) async throws -> Value
    let app: Application
    let result: Locked<Result<Value, any Error>?>

    func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        do {
            let value = try await work(app)
            result.withLock { $0 = .success(value) }
        } catch {
            // Interrupted work has no result. Any other error is reported by the command, not by the cluster.
            if Task.isCancelled {
                Screen.errors.writeLine(
                    app.cluster == .temporary
                        ? "Stopped before the end. Nothing is kept of a temporary cluster."
                        : "Stopped before the end. Run the same command again to go on: answered addresses are not asked "
                            + "again.")
                throw error
            }
            result.withLock { $0 = .failure(error) }
        }
    }
}
