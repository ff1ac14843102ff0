import Postgres
import Processes
import Questions
import Queue
import Shapes
import Terminal

enum JobVerbs {
    static let group = Node.group(
        "jobs", "See and control the jobs: each is one call.", [list, show, why, hurry, retry, cancel, discard])

    private typealias JobCounts = (waiting: Int, delayed: Int, dead: Int)

    private struct Listed: VerbInput {
        @Option("--lane", "LANE", "Only jobs of this lane.") var lane: String?
        @Option("--state", "STATE", "Only jobs in this state.") var kinds: [JobState.Kind] = []
        @Option("--after", "PLACE", "Only those after this one, as the page before it says.") var after: JobCursor?
    }

    private static let list = Node.pages(
        "list", Listed.self, "Show jobs: running, waiting in their order, and dead.", in: .folder,
        look: { input, limit, app, db in
            let kinds = input.kinds.isEmpty ? JobState.Kind.allCases : input.kinds
            return try app.queue.list(kinds, in: input.lane, after: input.after, limit: limit, on: db)
        }, as: { job, _ in job }, empty: { _ in "No job waits, is held, or is dead." },
        [
            .right("JOB") { "\($0.id)" }, .left("LANE") { $0.lane },
            .left("STATE", style: { $0 == "dead" ? .red : $0 == "held" ? .green : nil }) { $0.kind.rawValue },
            .right("SUBJECTS") { Readable.count($0.subjects.count) }, .left("PRIORITY") { $0.priorityText },
            .right("FAILED") { Readable.count($0.failures) }, .left("WHEN") { $0.when },
            .left("WORKER") { $0.worker?.name ?? "" }, .left("REASON") { $0.reason ?? "" },
        ], next: { last, _ in "--after \(JobCursor(after: last).text)" })

    private struct OneJob: VerbInput {
        @Argument("ID", "The job.", in: 1...) var id: Int
    }

    private static let show = Node.show(
        "show", OneJob.self, "Show a job and its failures.", in: .folder, look: circumstances, as: { $0 },
        write: { $0.job.write(to: $1) })

    private static let why = Node.show(
        "why", OneJob.self, "Explain in one sentence why a job waits.", in: .folder, look: circumstances,
        as: { JobWait($0) },
        write: { $1.writeLine(WhyJobWaits($0).advice(job: $0.job.id, lane: $0.lane)) })

    private static let circumstances: Step<OneJob, JobCircumstances> = { input, app, db in
        guard let found = try app.queue.circumstances(of: input.id, on: db) else { throw NoSuchJob(id: input.id) }
        return found
    }

    private struct Hurried: VerbInput {
        @Argument("ID", "The job.", in: 1...) var id: Int
        @Option("--subject", "N", "Only this question, in a job of its own.", in: 1...) var subject: Int?
    }

    private static let hurry = Node.act(
        "hurry", Hurried.self, "Run a waiting job before all others of its lane.", in: .folder
    ) { input, app, db in
        let hurried =
            if let subject = input.subject {
                try app.questions.hurry(subject: subject, of: input.id, by: .current, on: db)?.id
            } else {
                try app.queue.hurry(input.id, by: .current, on: db) ? input.id : nil
            }
        guard let hurried else { throw try app.refusal(input.id, "hurried", subject: input.subject, on: db) }
        return "Job \(hurried) goes first now."
    }

    /// The jobs that a command changes: one by its id, or all that match a filter.
    private struct JobChoice: ConfirmedInput {
        @Argument("ID", "The job.", in: 1...) var id: Int?
        @Option("--lane", "LANE", "All jobs of this lane.") var lane: String?
        @Option("--reason", "TEXT", "All jobs whose last failure contains this text.") var reason: String?
        @Flag("--all", "All jobs.") var all
        @Flag("--yes", "Don't ask for confirmation.") var yes

        func check() throws { _ = try selection }

        /// Requires exactly one way to select jobs.
        var selection: JobSelection {
            get throws(UsageError) {
                let isFiltered = lane != nil || reason != nil
                return switch (id, isFiltered, all) {
                case (let id?, false, false): .job(id)
                case (nil, true, false): .all(lane: lane, reason: reason)
                case (nil, false, true): .all()
                case (nil, false, false): throw UsageError("give an ID, or --lane, --reason or --all")
                default: throw UsageError("an ID, a filter (--lane, --reason) and --all exclude each other; give one")
                }
            }
        }
    }

    /// A verb for one job, or for those of a filter. `count` returns how many jobs it can change.
    private static func steering(
        _ name: String, _ summary: String, _ discussion: String, participle: String,
        count: @escaping @Sendable (JobCounts, _ isOne: Bool) -> Int,
        question: @escaping @Sendable (JobCounts) -> String,
        _ act: @escaping @Sendable (JobSelection, Int?, Application) async throws -> Report
    ) -> Node {
        .confirmed(
            name, JobChoice.self, summary, discussion, in: .folder,
            find: { input, app, db in
                let counts = try app.queue.count(input.selection, on: db)
                if count(counts, input.id != nil) > 0 { return counts }
                guard let id = input.id else { throw NothingToDo(sentence: "No job matches.") }
                throw try app.refusal(id, participle, on: db)
            }, question: { counts, input in input.id == nil ? question(counts) : nil }
        ) { _, input, app in try await act(input.selection, input.id, app) }
    }

    private static let retry = steering(
        "retry", "Enqueue dead jobs again, and run delayed ones now.",
        """
        Give one job, or a filter:

          waypost jobs retry 12
          waypost jobs retry --lane nominatim --reason timeout
        """, participle: "retried", count: { $0.dead + ($1 ? $0.waiting : $0.delayed) },
        question: { "Retry \(Words.count($0.dead, "dead job")) and \(Words.count($0.delayed, "delayed one"))?" }
    ) { selection, id, app in
        let retried = try await app.questions.retry(selection, by: .current, on: app.database)
        if let id { return Report(retried.sentence(for: id)) }
        let (revived, hastened) = (
            Words.count(retried.revived, "dead job"), Words.count(retried.hastened, "delayed one")
        )
        let deleted =
            retried.obsolete > 0 ? ["Deleted \(Words.count(retried.obsolete, "job")) with nothing left to ask."] : []
        return Report(["Enqueued \(revived) again and made \(hastened) due now."] + deleted)
    }

    private static let cancel = steering(
        "cancel", "Cancel waiting jobs; their addresses become failed.",
        """
        Jobs that a worker holds are not cancelled. Cancelled jobs are kept among the dead: 'waypost jobs retry' enqueues them \
        again, and 'waypost jobs discard' deletes them. Give one job, or a filter:

          waypost jobs cancel 12
          waypost jobs cancel --lane nominatim
        """, participle: "cancelled", count: { counts, _ in counts.waiting },
        question: { "Cancel \(Words.count($0.waiting, "waiting job"))?" }
    ) { selection, _, app in
        let cancelled = try await app.questions.cancel(selection, by: .current, on: app.database)
        return "Cancelled \(Words.count(cancelled, "job"))."
    }

    private static let discard = steering(
        "discard", "Delete dead jobs; their addresses stay failed.",
        """
        Give one job, or a filter:

          waypost jobs discard 12
          waypost jobs discard --reason "no such place"
        """, participle: "discarded", count: { counts, _ in counts.dead },
        question: { "Discard \(Words.count($0.dead, "dead job"))?" }
    ) { selection, _, app in
        let discarded = try await app.database.transaction { [queue = app.queue] in
            try queue.discard(selection, by: .current, on: $0)
        }
        return "Discarded \(Words.count(discarded, "job"))."
    }
}

private struct NoSuchJob: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no job \(id): it has ended, or never existed" }
}

extension Application {
    /// The reason why a command can't be applied to a job.
    fileprivate func refusal(
        _ id: Int, _ participle: String, subject: Int? = nil, on database: isolated Connection
    ) throws -> any Error {
        try queue.job(id, on: database)?.refusal(participle, subject: subject) ?? NoSuchJob(id: id)
    }
}

extension QuestionQueue.Retried {
    fileprivate func sentence(for id: Int) -> String {
        if revived > 0 { return "Job \(id) is enqueued again." }
        if obsolete > 0 { return "Job \(id) had nothing left to ask, and was deleted." }
        return hastened > 0 ? "Job \(id) is due now." : "Job \(id) was taken by a worker meanwhile."
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
