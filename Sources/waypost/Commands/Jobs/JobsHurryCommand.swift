import Postgres
import Questions
import Queue
import Terminal

struct JobsHurryCommand: ChangingCommand {
    static let name = "hurry"
    static let summary = "Run a waiting job before all others of its lane."

    @Argument("ID", "The job.", in: 1...) var id: Int
    @Option("--subject", "N", "Only this question, in a job of its own.", in: 1...) var subject: Int?

    func run() async throws {
        let app = try await Application.forCommand(.folder)
        let hurried: Int?
        if let subject {
            hurried = try await app.database.transaction { [questions = app.questions] in
                try questions.hurry(subject: subject, of: id, by: .current, on: $0)?.id
            }
        } else {
            let found = try await app.database.transaction { [queue = app.queue, id] in
                try queue.hurry(id, by: .current, on: $0)
            }
            hurried = found ? id : nil
        }
        guard let hurried else { throw try await app.refusal(id, "hurried", subject: subject) }
        await app.close()
        Screen.output.writeLine("Job \(hurried) goes first now.")
    }
}
