import Cluster
import Geocoding
import Glibc
import Points
import Postgres
import Processes
import Questions
import Queue
import Terminal

/// A cluster of our own on this machine, with a complete database.
struct PrivateCluster: Sendable {
    let app: Application
    private let cluster: LocalCluster
    private let workers: Int

    /// Starts PostgreSQL and prepares its database. With `isTemporary`, everything is deleted at the end.
    static func open(_ settings: Settings, workers: Int, isTemporary: Bool) async throws -> PrivateCluster {
        let cluster =
            isTemporary
            ? try await LocalCluster.openTemporary() : try await LocalCluster.open(in: settings.folder)
        var app = Application(settings, url: cluster.url, connections: 4, patience: .seconds(30))
        app.cluster = isTemporary ? .temporary : .passing
        do {
            _ = try await app.prepareDatabase()
            try await app.extendFirstChain()
            try cluster.announce()
        } catch {
            await cluster.close()
            throw error
        }
        return PrivateCluster(app: app, cluster: cluster, workers: workers)
    }

    /// Runs a coordinator, workers and `foreground` until `foreground` ends or a signal comes. Then it stops
    /// everything, PostgreSQL last.
    func run(_ foreground: any Service, quietly: Bool) async throws {
        var environment = ProcessEnvironment.current
        var log = app.log
        var tell: (@Sendable (String) -> Void)?
        if quietly {
            // Writes above the progress bar, not into it.
            let screen = Screen.errors
            let chosen = app.settings.logFormat
            let format = chosen != .automatic ? chosen : screen.isTerminal ? .terminal : .logfmt
            environment["WAYPOST_LOG_LEVEL"] = Log.Level.warning.rawValue
            environment["WAYPOST_LOG_FORMAT"] = format.rawValue
            environment["WAYPOST_LISTEN"] = "off"
            log = Log(level: .warning, format: format) { screen.writeLine(String($0.dropLast())) }
            tell = { screen.writeLine($0) }
        }
        let listens = quietly ? nil : app.settings.server.ofWorker
        if quietly { environment["WAYPOST_WORKER_LISTEN"] = "off" }
        let services = cluster.services(
            program: Self.program, workers: workers, environment: environment,
            ofWorker: { number in
                listens.map { ["WAYPOST_WORKER_LISTEN": "\($0.raised(by: number - 1))"] } ?? [:]
            }, database: app.database,
            registry: app.registry, log: log, tell: tell)
        let unserved = UnservedLanes(app: app, workers: workers) { [log, tell] sentence in
            if let tell { tell(sentence) } else { log.warning("\(sentence)") }
        }
        do {
            try await ServiceGroup(
                services + [unserved, foreground], log: log, stopLimit: app.settings.stopLimit, tellsFailure: false
            ).runUntilSignalled()
        } catch {
            await close()
            throw error
        }
        await close()
    }

    /// Runs `look` with only the database, and then stops the database.
    func look<Value: Sendable>(_ look: @Sendable (Application) async throws -> Value) async throws -> Value {
        do {
            let value = try await look(app)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }

    /// The application of a command that uses only the database, and stops the server at its end.
    func forCommand() -> Application {
        var app = app
        app.stopServer = { [cluster] in await cluster.close() }
        return app
    }

    private func close() async {
        await app.database.close()
        await cluster.close()
    }

    /// The path of this program's file, wherever it was started.
    private static var program: String {
        var path = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &path, path.count)
        return length > 0
            ? String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self) : CommandLine.arguments[0]
    }
}

/// Moves questions on from the lanes of providers that no worker of a private cluster serves, such as those of a
/// variable that was set in another terminal. Otherwise they would wait for ever.
struct UnservedLanes: Service {
    let name = "unserved lanes"
    let app: Application
    /// The workers of the cluster. Until they are all there, nothing is known about their lanes.
    let workers: Int
    let tell: @Sendable (String) -> Void

    func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        var told: Set<String> = []
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            // While the database is away, others say so.
            guard let left = try? await leave() else { continue }
            for lane in left where told.insert(lane).inserted {
                tell("\(lane) is skipped: \(ProviderSettings.absence(of: lane)).")
            }
        }
    }

    private func leave() async throws -> [String] {
        try await app.database.transaction { [app, workers] db in
            let known = try app.registry.workers(on: db)
            guard known.count >= workers else { return [] }
            // The workers have this process's environment, and soon serve a new set of points. Others may have joined.
            let served =
                known.flatMap(\.lanes) + app.providers.map(\.name) + (try PointSetStore().sets(on: db).map(\.name))
            return try app.questions.leaveLanes(
                otherThan: Set(served), because: ProviderSettings.absence, limit: 1_000, on: db)
        }
    }
}

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
