import Processes
import Queue
import Terminal

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
