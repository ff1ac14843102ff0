import Postgres
import Questions
import Queue
import Terminal
import Wording

struct JobsCancelCommand: ChangingCommand {
    static let name = "cancel"
    static let summary = "Cancel waiting jobs; their addresses become failed."
    static let discussion = """
        Jobs that a worker holds are not cancelled. Cancelled jobs are kept among the dead: 'waypost jobs retry' enqueues them \
        again, and 'waypost jobs discard' deletes them. Give one job, or a filter:

          waypost jobs cancel 12
          waypost jobs cancel --lane nominatim
        """

    let jobs = JobChoice()

    func run() async throws {
        let selection = try jobs.selection
        let app = try await Application.forCommand(.folder)
        let count = try await app.database.run { [queue = app.queue] in try queue.count(selection, on: $0).waiting }
        if let id = jobs.id {
            guard count > 0 else { throw try await app.refusal(id, "cancelled") }
        } else {
            if count == 0 { return Screen.output.writeLine("No job matches.") }
            try confirm("Cancel \(Words.count(count, "waiting job"))?", isSure: jobs.yes)
        }
        let cancelled = try await app.questions.cancel(selection, by: .current, on: app.database)
        await app.close()
        Screen.output.writeLine("Cancelled \(Words.count(cancelled, "job")).")
    }
}
