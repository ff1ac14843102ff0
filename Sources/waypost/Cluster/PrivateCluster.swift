import Cluster
import Glibc
import Postgres
import Processes
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
