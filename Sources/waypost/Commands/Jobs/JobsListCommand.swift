import Queue
import Shapes
import Terminal
import Wording

struct JobsListCommand: Command {
    static let name = "list"
    static let summary = "Show jobs: running, waiting in their order, and dead."

    @Option("--lane", "LANE", "Only jobs of this lane.") var lane: String?
    @Option("--state", "STATE", "Only jobs in this state.") var kinds: [JobState.Kind] = []
    @Option("--after", "PLACE", "Only those after this one, as the page before it says.") var after: JobCursor?
    let list = ListOptions()

    func run() async throws {
        let kinds = kinds.isEmpty ? JobState.Kind.allCases : kinds
        let limit = list.limit
        try await list.look.show(in: .folder) { [lane, after] app, db in
            // One more than requested shows whether there are more.
            try app.queue.list(kinds, in: lane, after: after, limit: limit + 1, on: db)
        } as: { jobs in
            Array(jobs.prefix(limit))
        } write: { jobs, screen in
            write(jobs, limit, to: screen)
        }
    }

    private func write(_ jobs: [JobState], _ limit: Int, to screen: Screen) {
        guard let last = jobs.prefix(limit).last else { return screen.writeLine("No job waits, is held, or is dead.") }
        var table = Table(
            .right("JOB"), .left("LANE"), .left("STATE", style: Self.style), .right("SUBJECTS"), .left("PRIORITY"),
            .right("FAILED"), .left("WHEN"), .left("WORKER"), .left("REASON"))
        for job in jobs.prefix(limit) {
            table.add(
                "\(job.id)", job.lane, job.kind.rawValue, Readable.count(job.subjects.count), job.priorityText,
                Readable.count(job.failures), job.when, job.worker?.name ?? "", job.reason ?? "")
        }
        table.write(to: screen)
        if jobs.count > limit { list.tellOfMore("--after \(JobCursor(after: last).text)", on: screen) }
    }

    private static func style(_ state: String) -> Style? {
        switch state {
        case "dead": .red
        case "held": .green
        default: nil
        }
    }
}

extension JobState.Kind: OptionValue {}

extension JobCursor: OptionValue {
    package init?(word: String) { self.init(text: word) }
    package var word: String { text }
    package static var placeholder: String { "PLACE" }
    package static var expectation: String { "what a page of 'jobs list' names at its end" }
}

extension JobState {
    var priorityText: String { Priority(rawValue: priority).map { "\($0)" } ?? "\(priority)" }

    /// `in 4 s`, `3 s ago`
    var when: String {
        moment > asOf ? "in \(Readable.duration(moment - asOf))" : "\(Readable.duration(asOf - moment)) ago"
    }
}
