import Access
import Contacts
import HTTP
import JSON
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    /// `GET /v1/jobs`: held jobs, then waiting jobs in the order in which a lane gives them out, then dead jobs, the
    /// latest first.
    func jobs(_ request: APIRequest, _ query: JobsQuery) async throws -> Reply<Page<JobState, String>> {
        if let subject = query.subject { return try await jobs(about: subject, request, query) }
        let kinds = query.kind.map { [$0] } ?? JobState.Kind.allCases
        return try await backend.database(of: request.caller.account).run { database in
            let page = try Page(query.limit, next: { JobCursor(after: $0).text }) {
                try JobQueue().list(kinds, in: query.lane, after: query.after, limit: $0, on: database)
            }
            return Reply(page)
        }
    }

    /// The jobs of one question, or of the questions of one of the account's friends. They are few, so there are no
    /// pages.
    private func jobs(
        about subject: JobsQuery.Subject, _ request: APIRequest, _ query: JobsQuery
    ) async throws -> Reply<Page<JobState, String>> {
        let account = request.caller.account
        let jobs = try await backend.database(of: account).run { database in
            let questions =
                switch subject {
                case .question(let id): [id]
                case .friend(let id): try ContactStore().questions(ofFriend: id, account: account, on: database)
                }
            return try JobQueue().jobs(
                GeocodeStore().jobs(of: questions, on: database), orDeadWith: questions, limit: query.limit,
                on: database)
        }
        let shown = jobs.filter { [nil, $0.kind].contains(query.kind) && [nil, $0.lane].contains(query.lane) }
        return Reply(Page(shown, next: nil))
    }

    /// `GET /v1/jobs/finished`: jobs that succeeded, the latest first.
    func finishedJobs(
        _ request: APIRequest, _ query: FinishedJobsQuery
    ) async throws -> Reply<Page<FinishedJob, String>> {
        try await backend.database(of: request.caller.account).run { database in
            let page = try Page(query.limit, next: { FinishedJob.Cursor(after: $0).text }) {
                try JobQueue().finished(in: query.lane, after: query.after, limit: $0, on: database)
            }
            return Reply(page)
        }
    }

    /// `GET /v1/jobs/{id}`: a job with its questions, its failures, and the reason why it waits.
    func job(_ request: APIRequest) async throws -> Reply<JobCircumstances> {
        let id = try request.id()
        let found = try await backend.database(of: request.caller.account).run { database in
            try JobQueue().circumstances(of: id, on: database)
        }
        return try Reply(found.orThrow(.notFound))
    }

    /// `POST /v1/jobs/{id}/hurry`
    func hurryJob(_ request: APIRequest, _ body: HurryInput) async throws -> Reply<JobHurried> {
        let id = try request.id()
        return try await act(request) { database in
            let author = request.caller.author
            let hurried: Int?
            if let subject = body.subject {
                hurried = try QuestionQueue().hurry(subject: subject, of: id, by: author, on: database)?.id
            } else {
                hurried = try JobQueue().hurry(id, by: author, on: database) ? id : nil
            }
            guard let hurried else { throw try refusal(id, "hurried", subject: body.subject, on: database) }
            return Reply(JobHurried(job: hurried))
        }
    }

    /// `POST /v1/jobs/{id}/retry`, `cancel` and `discard`: acts on one job, unless the action is not possible.
    func steerJob<Done: SteeredJobs>(_ request: APIRequest) async throws -> Reply<Done> {
        let id = try request.id()
        let count = try await backend.adminDatabase(of: request.caller.account).run { database in
            let count = try JobQueue().count(.job(id), on: database)
            guard Done.fitting(count) > 0 else { throw try refusal(id, Done.participle, on: database) }
            return count
        }
        return Reply(try await Done(.job(id), count, by: request.caller, backend))
    }

    /// `POST /v1/jobs/retry`, `cancel` and `discard`: acts on all jobs that the body selects, or only counts them.
    func steerJobs<Done: SteeredJobs>(_ request: APIRequest, _ body: JobsToSteer) async throws -> Reply<Done> {
        let count: JobCount
        do {
            count = try await backend.adminDatabase(of: request.caller.account).run { database in
                try JobQueue().count(body.selection, on: database)
            }
        } catch let error as QueueError where error.cause == .noSuchLane {
            throw RequestError.invalid(fields: [.init(field: "lane", detail: "must be the name of an existing lane")])
        }
        if body.isDry { return Reply(Done(count)) }
        return Reply(try await Done(body.selection, count, by: request.caller, backend))
    }

    /// The reason why an action on a job is impossible.
    private func refusal(
        _ id: Int, _ participle: String, subject: Int? = nil, on database: isolated Connection
    ) throws -> RequestError {
        guard let job = try JobQueue().job(id, on: database) else { return .notFound }
        return .conflict(job.refusal(participle, subject: subject).description)
    }
}

struct JobsQuery: QueryInput {
    /// The object whose jobs are listed.
    enum Subject: Sendable {
        case question(Int)
        case friend(Int)
    }

    let limit: Int, lane: String?, kind: JobState.Kind?, after: JobCursor?, subject: Subject?

    init(_ query: inout RequestReader) {
        limit = query.limit(.work)
        lane = query.lane()
        kind = query.choice("state", of: JobState.Kind.allCases, example: "ready")
        after = query.after(
            #"^(held|ready|later|dead)\.[0-3]\.[0-9]{1,16}\.[1-9][0-9]{0,17}\.[^\u0000]{1,100}$"#,
            example: "ready.1.1700000000000000.53.gazetteer", JobCursor.init(text:))
        let question = query.id(
            "question", "Only jobs that carry this question. Not together with `after`.", example: 7)
        let friend = query.id(
            "friend",
            "Only jobs that carry a question of this friend, who is one of the account's. Not together with `after` or `question`.",
            example: 12)
        if question != nil || friend != nil, after != nil {
            query.mistake("after", "goes with neither question nor friend")
        } else if question != nil, friend != nil {
            query.mistake("friend", "does not go with question")
        }
        subject = question.map { .question($0) } ?? friend.map { .friend($0) }
    }
}

struct FinishedJobsQuery: QueryInput {
    let limit: Int, lane: String?, after: FinishedJob.Cursor?

    init(_ query: inout RequestReader) {
        limit = query.limit(.work)
        lane = query.lane()
        after = query.after(
            #"^[1-9][0-9]{0,15}\.[1-9][0-9]{0,17}$"#, example: "1700000000000000.53",
            FinishedJob.Cursor.init(text:))
    }
}

extension RequestReader {
    fileprivate mutating func lane() -> String? { text("lane", "Only jobs of this lane.", example: "gazetteer") }

    /// The place in a list after which the next page begins.
    mutating func after<Cursor>(
        _ pattern: String, example: JSONText?, _ parse: (String) -> Cursor?
    ) -> Cursor? {
        parsed(
            "after", .text.matching(pattern), "`next_after` of the page before.", example: example,
            refusal: "must be the next_after of an earlier answer", parse)
    }
}

struct HurryInput: BodyInput {
    static let isRequired = false
    let subject: Int?

    init(_ body: inout RequestReader) {
        subject = body.integer("subject", in: 1...Int(Int32.max), "Only this question, in a job of its own.")
    }
}

struct JobsToSteer: BodyInput {
    static let name = "JobSelection"
    let selection: JobSelection, isDry: Bool

    init(_ body: inout RequestReader) {
        let ids = body.ids("ids", "Only these jobs. Not together with `lane`, `reason` or `all`.")
        let lane = body.text("lane", example: "gazetteer")?.orNil
        let reason = body.text("reason", "A part of the last failure's text.")?.orNil
        let isAll = body.flag("all", "True where neither `ids`, `lane` nor `reason` are given.") ?? false
        let ways = [isAll, !ids.isEmpty, lane != nil || reason != nil].count { $0 }
        if ways != 1, body.mistakeCount == 0 {
            body.mistake(
                "all", "is to be true where neither ids, lane nor reason are given, and ids go with none of them")
        }
        isDry = body.isDry("Only count.")
        selection = ids.isEmpty ? .all(lane: lane, reason: reason) : .jobs(ids)
    }
}

struct JobHurried: Shaped {
    let job: Int

    static let shape = Shape<JobHurried>("JobHurried", "") {
        Member("job", "The job that goes first now.", example: 53) { $0.job }
    }
}

/// How many jobs match, as ``JobQueue/count(_:on:)`` counts them.
typealias JobCount = (waiting: Int, delayed: Int, dead: Int)

/// The result of an action on jobs, or of its dry run.
protocol SteeredJobs: Shaped {
    static var participle: String { get }
    /// How many jobs the action is possible for, if one is selected by its id.
    static func fitting(_ count: JobCount) -> Int

    /// Only counts.
    init(_ count: JobCount)
    init(_ selection: JobSelection, _ count: JobCount, by caller: Caller, _ backend: Backend) async throws
}

struct JobsRetried: SteeredJobs {
    let count: JobCount
    var retried: QuestionQueue.Retried?

    init(_ count: JobCount) { self.count = count }

    init(_ selection: JobSelection, _ count: JobCount, by caller: Caller, _ backend: Backend) async throws {
        self.init(count)
        retried = try await QuestionQueue().retry(
            selection, by: caller.author, on: backend.adminDatabase(of: caller.account))
    }

    static let participle = "retried"
    static func fitting(_ count: JobCount) -> Int { count.waiting + count.dead }

    static let shape = Shape<JobsRetried>("JobsRetried", "") {
        Member("dry_run") { $0.retried == nil }
        Member("dead", example: 3) { $0.count.dead }
        Member("delayed", example: 2) { $0.count.delayed }
        Member("revived", example: 3) { $0.retried?.revived ?? 0 }
        Member("obsolete", "Dead jobs with nothing left to ask, which were deleted.", example: 0) {
            $0.retried?.obsolete ?? 0
        }
        Member("hastened", example: 2) { $0.retried?.hastened ?? 0 }
    }
}

struct JobsCancelled: SteeredJobs {
    let waiting: Int
    var cancelled: Int?

    init(_ count: JobCount) { waiting = count.waiting }

    init(_ selection: JobSelection, _ count: JobCount, by caller: Caller, _ backend: Backend) async throws {
        self.init(count)
        cancelled = try await QuestionQueue().cancel(
            selection, by: caller.author, on: backend.adminDatabase(of: caller.account))
    }

    static let participle = "cancelled"
    static func fitting(_ count: JobCount) -> Int { count.waiting }

    static let shape = Shape<JobsCancelled>("JobsCancelled", "") {
        Member("dry_run") { $0.cancelled == nil }
        Member("waiting", example: 3) { $0.waiting }
        Member("cancelled", example: 3) { $0.cancelled ?? 0 }
    }
}

struct JobsDiscarded: SteeredJobs {
    let dead: Int
    var discarded: Int?

    init(_ count: JobCount) { dead = count.dead }

    init(_ selection: JobSelection, _ count: JobCount, by caller: Caller, _ backend: Backend) async throws {
        self.init(count)
        discarded = try await backend.adminDatabase(of: caller.account).transaction { database in
            try JobQueue().discard(selection, by: caller.author, on: database)
        }
    }

    static let participle = "discarded"
    static func fitting(_ count: JobCount) -> Int { count.dead }

    static let shape = Shape<JobsDiscarded>("JobsDiscarded", "") {
        Member("dry_run") { $0.discarded == nil }
        Member("dead", example: 3) { $0.dead }
        Member("discarded", example: 3) { $0.discarded ?? 0 }
    }
}
