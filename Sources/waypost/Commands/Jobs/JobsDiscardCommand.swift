import Postgres
import Queue
import Terminal
import Wording

struct JobsDiscardCommand: ChangingCommand {
    static let name = "discard"
    static let summary = "Delete dead jobs; their addresses stay failed."
    static let discussion = """
        Give one job, or a filter:

          waypost jobs discard 12
          waypost jobs discard --reason "no such place"
        """

    let jobs = JobChoice()

    func run() async throws {
        let selection = try jobs.selection
        let app = try await Application.forCommand(.folder)
        let count = try await app.database.run { [queue = app.queue] in try queue.count(selection, on: $0).dead }
        if let id = jobs.id {
            guard count > 0 else { throw try await app.refusal(id, "discarded") }
        } else {
            if count == 0 { return Screen.output.writeLine("No job matches.") }
            try confirm("Discard \(Words.count(count, "dead job"))?", isSure: jobs.yes)
        }
        let discarded = try await app.database.transaction { [queue = app.queue] in
            try queue.discard(selection, by: .current, on: $0)
        }
        await app.close()
        Screen.output.writeLine("Discarded \(Words.count(discarded, "job")).")
    }
}
