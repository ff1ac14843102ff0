import Postgres
import Questions
import Queue
import Terminal
import Wording

struct JobsRetryCommand: ChangingCommand {
    static let name = "retry"
    static let summary = "Enqueue dead jobs again, and run delayed ones now."
    static let discussion = """
        Give one job, or a filter:

          waypost jobs retry 12
          waypost jobs retry --lane nominatim --reason timeout
        """

    let jobs = JobChoice()

    func run() async throws {
        let selection = try jobs.selection
        let app = try await Application.forCommand(.folder)
        let count = try await app.database.run { [queue = app.queue] in try queue.count(selection, on: $0) }
        if let id = jobs.id {
            guard count.dead + count.waiting > 0 else { throw try await app.refusal(id, "retried") }
        } else {
            let text = "\(Words.count(count.dead, "dead job")) and \(Words.count(count.delayed, "delayed one"))"
            if count.dead + count.delayed == 0 { return Screen.output.writeLine("No job matches.") }
            try confirm("Retry \(text)?", isSure: jobs.yes)
        }
        let retried = try await app.questions.retry(selection, by: .current, on: app.database)
        await app.close()
        if let id = jobs.id { return Screen.output.writeLine(retried.sentence(for: id)) }
        Screen.output.writeLine(
            "Enqueued \(Words.count(retried.revived, "dead job")) again and made "
                + "\(Words.count(retried.hastened, "delayed one")) due now.")
        if retried.obsolete > 0 {
            Screen.output.writeLine("Deleted \(Words.count(retried.obsolete, "job")) with nothing left to ask.")
        }
    }
}

extension QuestionQueue.Retried {
    fileprivate func sentence(for id: Int) -> String {
        if revived > 0 { return "Job \(id) is enqueued again." }
        if obsolete > 0 { return "Job \(id) had nothing left to ask, and was deleted." }
        return hastened > 0 ? "Job \(id) is due now." : "Job \(id) was taken by a worker meanwhile."
    }
}
