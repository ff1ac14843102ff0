import Cluster
import Processes
import Terminal

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
