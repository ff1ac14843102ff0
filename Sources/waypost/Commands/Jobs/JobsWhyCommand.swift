import Queue
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
        let why = WhyJobWaits(circumstances)
        let lane = circumstances.lane
        guard json else { return Screen.output.writeLine(why.advice(job: id, lane: lane)) }
        try Screen.output.writeJSON(
            WhyJSON(job: id, lane: lane.lane, why: why.word, sentence: why.sentence(job: id, lane: lane)))
    }
}

struct NoSuchJob: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no job \(id): it has ended, or never existed" }
}

private struct WhyJSON: Encodable {
    let job: Int
    let lane, why, sentence: String
}
