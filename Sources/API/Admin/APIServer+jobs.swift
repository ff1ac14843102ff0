import Access
import Contacts
import HTTP
import JSON
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var jobRoutes: [APIRoute] {
        route(.get, "/v1/jobs", .admin, .look, JobsQuery.self) { try jobs($0, $1, on: $2) }
            .described(
                "getJobs", "Lists jobs",
                details:
                    "Those that are held, those that wait in the order in which a lane gives them out, and the dead, the latest first. With `question` or `friend`, only the jobs that carry it, without pages.",
                .ok("The jobs."), refuses: [404])
        route(.get, "/v1/jobs/finished", .admin, .look, FinishedJobsQuery.self) { _, query, db in
            let page = try Page(query.limit, next: { FinishedJob.Cursor(after: $0).text }) {
                try JobQueue().finished(in: query.lane, after: query.after, limit: $0, on: db)
            }
            return Reply(page)
        }
        .described(
            "getFinishedJobs", "Lists jobs that ended well",
            details: "The latest first: those of the last 24 hours, or of the 24 hours before `after`.",
            .ok("The jobs."), refuses: [404])
        route(.get, "/v1/jobs/{id}", .admin, .look) { request, db in
            Reply(try JobQueue().circumstances(of: request.id(), on: db).orThrow(.notFound))
        }
        .described("getJob", "Shows a job", .ok("The job, its failures, and why it waits."))
        route(.post, "/v1/jobs/{id}/hurry", .admin, .act, HurryInput.self) { request, body, db in
            let id = try request.id()
            guard let job = try QuestionQueue().hurry(id, only: body.subject, by: request.author, on: db) else {
                throw try refusal(id, "hurried", subject: body.subject, on: db)
            }
            return Reply(JobHurried(job: job))
        }
        .described("hurryJob", "Runs a waiting job before all others of its lane", .ok("It goes first."))
        steering(
            .retry, JobsRetried.self, "Enqueues a dead job again, or makes a waiting one due now",
            "Enqueues dead jobs again, and makes delayed ones due now")
        steering(
            .cancel, JobsCancelled.self, "Cancels a waiting job", details: "Its questions become failed.",
            "Cancels waiting jobs")
        steering(
            .discard, JobsDiscarded.self, "Deletes a dead job", details: "Its questions stay failed.",
            "Deletes dead jobs")
    }

    /// The two routes of a verb: for one job, unless the action is not possible, and for all jobs that the body selects.
    @ListBuilder<APIRoute> private func steering<Done: SteeredJobsView>(
        _ verb: JobVerb, _: Done.Type, _ ofOne: String, details: String = "", _ ofMany: String
    ) -> [APIRoute] {
        APIRoute(.post, "/v1/jobs/{id}/\(verb.rawValue)", .admin, is: .unremembered) { request in
            let (id, database) = (try request.id(), try backend.adminDatabase(of: request.account))
            let count = try await database.run { db in
                let count = try JobQueue().count(.job(id), on: db)
                guard verb.fitting(count, isOne: true) > 0 else { throw try refusal(id, verb.participle, on: db) }
                return count
            }
            return Reply(Done(jobs: try await verb.run(.job(id), count, by: request.author, on: database)))
        }
        .described("\(verb.rawValue)Job", ofOne, details: details, .ok("What was done."), refuses: [409, 413])
        APIRoute(.post, "/v1/jobs/\(verb.rawValue)", .admin, is: .unremembered) { request, body in
            try await steer(verb, request, body) as Reply<Done>
        }
        .described("\(verb.rawValue)Jobs", ofMany, .ok("What was done, or would be."))
    }

    private func steer<Done: SteeredJobsView>(
        _ verb: JobVerb, _ request: APIRequest, _ body: JobsToSteer
    ) async throws -> Reply<Done> {
        let database = try backend.adminDatabase(of: request.account)
        do {
            let count = try await database.run { try JobQueue().count(body.selection, on: $0) }
            if body.isDry { return Reply(Done(jobs: SteeredJobs(count: count))) }
            return Reply(Done(jobs: try await verb.run(body.selection, count, by: request.author, on: database)))
        } catch let error as QueueError where error.cause == .noSuchLane {
            throw RequestError.invalid(field: "lane", "must be the name of an existing lane")
        }
    }

    /// Held jobs, then waiting jobs in the order in which a lane gives them out, then dead jobs, the latest first.
    private func jobs(
        _ request: APIRequest, _ query: JobsQuery, on database: isolated Connection
    ) throws -> Reply<Page<JobState, String>> {
        if let subject = query.subject {
            return Reply(Page(try jobs(about: subject, request, query, on: database), next: nil))
        }
        let kinds = query.kind.map { [$0] } ?? JobState.Kind.allCases
        let page = try Page(query.limit, next: { JobCursor(after: $0).text }) {
            try JobQueue().list(kinds, in: query.lane, after: query.after, limit: $0, on: database)
        }
        return Reply(page)
    }

    /// The jobs of one question, or of the questions of one of the account's friends. They are few, so there are no
    /// pages.
    private func jobs(
        about subject: JobsQuery.Subject, _ request: APIRequest, _ query: JobsQuery, on database: isolated Connection
    ) throws -> [JobState] {
        let questions =
            switch subject {
            case .question(let id): [id]
            case .friend(let id): try ContactStore().questions(ofFriend: id, account: request.account, on: database)
            }
        let jobs = try JobQueue().jobs(
            GeocodeStore().jobs(of: questions, on: database), orDeadWith: questions, limit: query.limit, on: database)
        return jobs.filter { [nil, $0.kind].contains(query.kind) && [nil, $0.lane].contains(query.lane) }
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

/// The result of an action on jobs, or of its dry run.
protocol SteeredJobsView: Shaped {
    init(jobs: SteeredJobs)
}

struct JobsRetried: SteeredJobsView {
    let jobs: SteeredJobs

    static let shape = Shape<JobsRetried>("JobsRetried", "") {
        Member("dry_run") { $0.jobs.isDry }
        Member("dead", example: 3) { $0.jobs.count.dead }
        Member("delayed", example: 2) { $0.jobs.count.delayed }
        Member("revived", example: 3) { $0.jobs.retried.revived }
        Member("obsolete", "Dead jobs with nothing left to ask, which were deleted.", example: 0) {
            $0.jobs.retried.obsolete
        }
        Member("hastened", example: 2) { $0.jobs.retried.hastened }
    }
}

struct JobsCancelled: SteeredJobsView {
    let jobs: SteeredJobs

    static let shape = Shape<JobsCancelled>("JobsCancelled", "") {
        Member("dry_run") { $0.jobs.isDry }
        Member("waiting", example: 3) { $0.jobs.count.waiting }
        Member("cancelled", example: 3) { $0.jobs.changed }
    }
}

struct JobsDiscarded: SteeredJobsView {
    let jobs: SteeredJobs

    static let shape = Shape<JobsDiscarded>("JobsDiscarded", "") {
        Member("dry_run") { $0.jobs.isDry }
        Member("dead", example: 3) { $0.jobs.count.dead }
        Member("discarded", example: 3) { $0.jobs.changed }
    }
}
