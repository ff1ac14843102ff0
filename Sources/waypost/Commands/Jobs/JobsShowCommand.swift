import Queue
import Shapes
import Terminal
import Wording

struct JobsShowCommand: Command {
    static let name = "show"
    static let summary = "Show a job and its failures."

    @Argument("ID", "The job.", in: 1...) var id: Int
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let found = try await Application.asking(.folder) { [id] app, db in try app.queue.circumstances(of: id, on: db)
        }
        guard let found else { throw NoSuchJob(id: id) }
        if json { return Screen.output.writeJSON(found) }
        found.job.write(to: .output)
    }
}

extension JobState {
    func write(to screen: Screen) {
        var facts = Table(.left("JOB"), .left("\(id)"))
        facts.add("lane", lane)
        facts.add("state", kind.rawValue + (worker.map { " by \($0.text)" } ?? ""))
        facts.add(momentTitle, "\(Words.time(moment, asOf: asOf)), \(when)")
        facts.add("priority", priorityText)
        facts.add("failures", Readable.count(failures))
        facts.add("workers lost", Readable.count(losses))
        facts.add("subjects", "\(Readable.count(subjects.count)): " + subjectsText)
        if kind == .dead, let reason { facts.add("reason", reason) }
        facts.write(to: screen)
        guard !history.isEmpty else { return }
        screen.writeLine()
        var table = Table(.left("FAILED"), .right("WORKER"), .left("REASON"))
        for failure in history {
            table.add(
                Words.time(failure.at, asOf: asOf), failure.worker.map(String.init) ?? "-", failure.reason ?? "-")
        }
        table.write(to: screen)
    }

    private var momentTitle: String {
        switch kind {
        case .held: "call may start"
        case .ready, .later: "ready"
        case .dead: "died"
        }
    }

    private var subjectsText: String {
        subjects.prefix(10).map(String.init).joined(separator: ", ") + (subjects.count > 10 ? ", …" : "")
    }
}
