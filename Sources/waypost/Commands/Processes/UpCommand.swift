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

struct CoordinatorCommand: Command {
    static let name = "coordinator"
    static let summary = "Coordinate a cluster until stopped."
    static let discussion = """
        Frees the jobs of silent workers, enqueues addresses that other programs wrote, and serves the HTTP \
        API on 127.0.0.1:8080 or where WAYPOST_LISTEN says. Any number of coordinators may run.
        """

    func run() async throws {
        Signals.ignoreHangUp()
        let app = try await Application.forService()
        try await app.run([app.coordinator(), app.fileNotices(), APIService(app: app)])
    }
}

struct WorkerCommand: Command {
    static let name = "worker"
    static let summary = "Run jobs of a cluster until stopped."
    static let discussion = """
        Any number of workers may run, on any number of machines. TERM or Ctrl-C lets running calls finish and be \
        recorded; a second one stops at once, and loses the calls in flight. With WAYPOST_WORKER_LISTEN it \
        serves /livez, /readyz and /metrics.
        """

    @Option("--name", "NAME", "The worker's name in lists and logs; by default host and process number.")
    var workerName: String?

    func run() async throws {
        Signals.ignoreHangUp()
        let app = try await Application.forService()
        try await app.prepareLanes()
        let worker = app.worker(named: workerName)
        let server = app.settings.server.ofWorker.map { WorkerServer(address: $0, vitals: worker.vitals, app: app) }
        // It starts first, so that it reports why the worker is not ready and that it stops.
        try await app.run((server.map { [$0] } ?? []) + [worker])
    }
}

extension ProcessRole: OptionValue {}

struct HealthCommand: Command {
    static let name = "health"
    static let summary = "Check the processes of this machine, for a health check."
    static let discussion = """
        Succeeds when the database answers, its schema fits this program, and a worker or coordinator of this host has \
        sent a heartbeat within the silence limit.
        """

    @Option("--role", "The kind of process to check; by default any.") var role: ProcessRole?

    func run() async throws {
        let app = try await Application.forCommand(.running)
        let host = ProcessIdentity.current.host
        let isAlive = try await app.database.run { [registry = app.registry] in
            try registry.isAlive(role, host: host, on: $0)
        }
        guard isAlive else {
            throw Failure("no \(role?.rawValue ?? "process") of host \(host) has sent a heartbeat recently")
        }
        Screen.output.writeLine("well")
        await app.close()
    }
}
