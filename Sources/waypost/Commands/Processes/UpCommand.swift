import Cluster
import Postgres
import Processes
import Questions
import Queue
import Terminal

struct UpCommand: Command {
    static let name = "up"
    static let summary = "Run a whole cluster on this machine, in this folder, until stopped."
    static let discussion = """
        Starts a private PostgreSQL in .waypost, brings it up to date, and runs a coordinator and workers on it. Other \
        commands in the same folder find it. Ctrl-C lets running calls finish and stops everything; the data stays \
        in .waypost.
        """

    @Option("--workers", "N", "The number of worker processes.", in: 1...64) var workers = 2

    func run() async throws {
        let settings = try Settings.current()
        if settings.databaseURL != nil {
            throw UsageError(
                "DATABASE_URL is set, and 'up' runs a database of its own. Unset it, or start "
                    + "'waypost coordinator' and 'waypost worker' on that database.")
        }
        let log = Log(level: settings.logLevel, format: settings.logFormat)
        log.info("starting a private PostgreSQL", ["folder": settings.folder.serverFolder])
        let cluster = try await PrivateCluster.open(settings, workers: workers, isTemporary: false)
        try await cluster.run(StateReport(app: cluster.app, workers: workers), quietly: false)
        log.info("stopped; the data stays", ["folder": settings.folder.path])
    }
}

/// Prints the state of the cluster every few seconds, if it has changed.
private struct StateReport: Service {
    let name = "report"
    let app: Application
    let workers: Int

    private struct State: Equatable {
        let workers, ready, held, located, waiting: Int
    }

    func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        app.log.info("the cluster is up; stop it with Ctrl-C", ["workers": workers])
        var last: State?
        while (try? await Task.sleep(for: .seconds(2))) != nil {
            guard let state = try? await app.database.run({ [app] in try state(app, on: $0) }), state != last
            else { continue }
            last = state
            app.log.info(
                "state",
                [
                    "workers": state.workers, "jobs_ready": state.ready, "jobs_held": state.held,
                    "located": state.located, "waiting": state.waiting,
                ])
        }
    }

    private func state(_ app: Application, on db: isolated Connection) throws -> State {
        let lanes = try app.queue.lanes(on: db)
        let geocodes = try app.geocodes.counts(on: db)
        return State(
            workers: try app.registry.workers(on: db).count, ready: lanes.map(\.ready).reduce(0, +),
            held: lanes.map(\.held).reduce(0, +), located: geocodes.located, waiting: geocodes.waiting)
    }
}
