import Postgres
import Processes
import Queue
import Shapes
import Terminal

enum WorkerVerbs {
    static let group = Node.group("workers", "See and control the workers.", [list, quiet, resume])

    private static let list = Node.list(
        "list", NoInput.self, "Show the workers, their lanes and how many jobs they hold.",
        look: { _, app, db in try app.registry.workers(on: db) }, as: { $0 },
        empty: "No worker is running. Start one with 'waypost worker'.",
        [
            .right("ID") { "\($0.id)" }, .left("WORKER") { $0.name }, .left("HOST") { $0.host },
            .right("PROCESS") { "\($0.pid)" }, .left("LANES") { $0.lanes.joined(separator: ", ") },
            .right("JOBS") { Readable.count($0.held) }, .right("MEMORY") { $0.memory.map(Readable.bytes) ?? "-" },
            .left("RUNS FOR") { Readable.duration($0.age) },
            .left("HEARD OF") { "\(Readable.duration($0.silence)) ago" },
            .left("QUIET", style: { $0 == "quiet" ? .yellow : nil }) { $0.isQuiet ? "quiet" : "" },
        ])

    private struct OneWorker: VerbInput {
        @Argument("WORKER", "Its name or number; a name means all workers of that name.") var worker: String
    }

    private static let quiet = Node.act(
        "quiet", OneWorker.self, "Make a worker finish its jobs and claim no more."
    ) { input, app, db in
        try app.setQuiet(true, input.worker, ("was quiet already", "is quiet"), on: db)
    }

    private static let resume = Node.act(
        "resume", OneWorker.self, "Make a quiet worker claim jobs again."
    ) { input, app, db in
        try app.setQuiet(false, input.worker, ("takes jobs again", "was not quiet"), on: db)
    }
}

extension Application {
    /// Returns a line for each worker of this name or number, depending on whether it was quiet before.
    fileprivate func setQuiet(
        _ isQuiet: Bool, _ worker: String, _ words: (wasQuiet: String, wasNot: String),
        on database: isolated Connection
    ) throws -> Report {
        let workers = try registry.setQuiet(isQuiet, worker, by: .current, on: database)
        return Report(workers.map { "\($0.1) (\($0.0)) \($0.2 ? words.wasQuiet : words.wasNot)." })
    }
}
