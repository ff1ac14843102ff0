import Queue
import Shapes
import Terminal

struct JobsWhyCommand: Command {
    static let name = "why"
    static let summary = "Explain in one sentence why a job waits."

    @Argument("ID", "The job.", in: 1...) var id: Int
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let circumstances = try await Application.asking(.folder) { [id] app, db in
            try app.queue.circumstances(of: id, on: db)
        }
        guard let circumstances else { throw NoSuchJob(id: id) }
        if json { return Screen.output.writeJSON(JobWait(circumstances)) }
        Screen.output.writeLine(WhyJobWaits(circumstances).advice(job: id, lane: circumstances.lane))
    }
}

struct NoSuchJob: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no job \(id): it has ended, or never existed" }
}
