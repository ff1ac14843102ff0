import Queue
import Shapes
import Terminal
import Wording

struct WorkersListCommand: Command {
    static let name = "list"
    static let summary = "Show the workers, their lanes and how many jobs they hold."

    let look = WatchOptions()

    func run() async throws {
        try await look.show(
            { app, db in try app.registry.workers(on: db) }, as: { $0 }
        ) { workers, screen in
            if workers.isEmpty { return screen.writeLine("No worker is running. Start one with 'waypost worker'.") }
            var table = Table(
                .right("ID"), .left("WORKER"), .left("HOST"), .right("PROCESS"), .left("LANES"), .right("JOBS"),
                .right("MEMORY"), .left("RUNS FOR"), .left("HEARD OF"), .left("QUIET") { $0 == "quiet" ? .yellow : nil }
            )
            for worker in workers {
                table.add(
                    "\(worker.id)", worker.name, worker.host, "\(worker.pid)", worker.lanes.joined(separator: ", "),
                    Readable.count(worker.held), worker.memory.map(Readable.bytes) ?? "-",
                    Readable.duration(worker.age), "\(Readable.duration(worker.silence)) ago",
                    worker.isQuiet ? "quiet" : "")
            }
            table.write(to: screen)
        }
    }
}

struct WorkersQuietCommand: ChangingCommand {
    static let name = "quiet"
    static let summary = "Make a worker finish its jobs and claim no more."

    @Argument("WORKER", "Its name or number; a name means all workers of that name.") var worker: String

    func run() async throws {
        try await Self.set(true, worker) { $0 ? "was quiet already" : "is quiet" }
    }

    fileprivate static func set(
        _ isQuiet: Bool, _ worker: String, _ words: (_ wasQuiet: Bool) -> String
    ) async throws {
        let meant = try await Application.asking { app, db in
            try app.registry.setQuiet(isQuiet, worker, by: .current, on: db)
        }
        for (id, name, wasQuiet) in meant {
            Screen.output.writeLine("\(name) (\(id)) \(words(wasQuiet)).")
        }
    }
}

struct WorkersResumeCommand: ChangingCommand {
    static let name = "resume"
    static let summary = "Make a quiet worker claim jobs again."

    @Argument("WORKER", "Its name or number; a name means all workers of that name.") var worker: String

    func run() async throws {
        try await WorkersQuietCommand.set(false, worker) { $0 ? "takes jobs again" : "was not quiet" }
    }
}
