import Postgres
import Processes
import Questions
import Queue
import Shapes
import Terminal

enum JobVerbs {
    static let group = Node.group(
        "jobs", "See and control the jobs: each is one call.", [list, show, why, hurry, retry, cancel, discard])

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
        guard let found = try app.queue.circumstances(of: input.id, on: db) else { throw Failure.noJob(input.id) }
        return found
    }

    private struct Hurried: VerbInput {
        @Argument("ID", "The job.", in: 1...) var id: Int
        @Option("--subject", "N", "Only this question, in a job of its own.", in: 1...) var subject: Int?
    }

    private static let hurry = Node.act(
        "hurry", Hurried.self, "Run a waiting job before all others of its lane.", in: .folder
    ) { input, app, db in
        let hurried = try app.questions.hurry(input.id, only: input.subject, by: .current, on: db)
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

    /// A verb for one job, or for those of a filter.
    private static func steering(
        _ verb: JobVerb, _ summary: String, _ discussion: String, question: @escaping @Sendable (JobCount) -> String,
        report: @escaping @Sendable (SteeredJobs, _ id: Int?) -> Report
    ) -> Node {
        .confirmed(
            verb.rawValue, JobChoice.self, summary, discussion, in: .folder,
            find: { input, app, db in
                let count = try app.queue.count(input.selection, on: db)
                if verb.fitting(count, isOne: input.id != nil) > 0 { return count }
                guard let id = input.id else { throw NothingToDo(sentence: "No job matches.") }
                throw try app.refusal(id, verb.participle, on: db)
            }, question: { count, input in input.id == nil ? question(count) : nil }
        ) { count, input, app in
            report(try await verb.run(input.selection, count, by: .current, on: app.database), input.id)
        }
    }

    private static let retry = steering(
        .retry, "Enqueue dead jobs again, and run delayed ones now.",
        """
        Give one job, or a filter:

          waypost jobs retry 12
          waypost jobs retry --lane nominatim --reason timeout
        """,
        question: { "Retry \(Words.count($0.dead, "dead job")) and \(Words.count($0.delayed, "delayed one"))?" }
    ) { jobs, id in
        let retried = jobs.retried
        if let id { return Report(retried.sentence(for: id)) }
        let (revived, hastened) = (
            Words.count(retried.revived, "dead job"), Words.count(retried.hastened, "delayed one")
        )
        let deleted =
            retried.obsolete > 0 ? ["Deleted \(Words.count(retried.obsolete, "job")) with nothing left to ask."] : []
        return Report(["Enqueued \(revived) again and made \(hastened) due now."] + deleted)
    }

    private static let cancel = steering(
        .cancel, "Cancel waiting jobs; their addresses become failed.",
        """
        Jobs that a worker holds are not cancelled. Cancelled jobs are kept among the dead: 'waypost jobs retry' enqueues them \
        again, and 'waypost jobs discard' deletes them. Give one job, or a filter:

          waypost jobs cancel 12
          waypost jobs cancel --lane nominatim
        """, question: { "Cancel \(Words.count($0.waiting, "waiting job"))?" }
    ) { jobs, _ in "Cancelled \(Words.count(jobs.changed, "job"))." }

    private static let discard = steering(
        .discard, "Delete dead jobs; their addresses stay failed.",
        """
        Give one job, or a filter:

          waypost jobs discard 12
          waypost jobs discard --reason "no such place"
        """, question: { "Discard \(Words.count($0.dead, "dead job"))?" }
    ) { jobs, _ in "Discarded \(Words.count(jobs.changed, "job"))." }
}

extension Application {
    /// The reason why a command can't be applied to a job.
    fileprivate func refusal(
        _ id: Int, _ participle: String, subject: Int? = nil, on database: isolated Connection
    ) throws -> any Error {
        try queue.job(id, on: database)?.refusal(participle, subject: subject) ?? Failure.noJob(id)
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
