import Terminal

struct WorkerCommand: Command {
    static let name = "worker"
    static let summary = "Work on the jobs of a cluster until told to stop."
    static let discussion = """
        Any number of workers may run, on any number of machines. TERM or Ctrl-C lets the calls that run end and be \
        recorded; a second one stops at once, and costs nothing but the calls in flight.
        """

    @Option("--name", "NAME", "What the worker is called in lists and logs; by default host and process number.")
    var workerName: String?

    func run() async throws {
        let app = try await Application.forService()
        try await app.prepareLanes()
        try await app.run([app.worker(named: workerName)])
    }
}
