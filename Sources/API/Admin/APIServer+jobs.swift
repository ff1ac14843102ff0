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
    func jobs(_ request: APIRequest) async throws -> Reply<Page<JobState, String>> {
        var query = QueryReader(request.http)
        let limit = query.limit(.work)
        let lane = query.text("lane")
        let kind = query.choice("state", of: JobState.Kind.allCases.map(\.rawValue)).flatMap(JobState.Kind.init)
        let after = query.jobCursor("after")
        let about = query.jobSubject(isPaged: after != nil)
        try query.finish()
        if let about { return try await jobs(about, kind, in: lane, limit: limit, request) }
        let jobs = try await backend.database(of: request.caller.account).run { database in
            // One more than requested shows whether there are more.
            try JobQueue().list(
                kind.map { [$0] } ?? JobState.Kind.allCases, in: lane, after: after, limit: limit + 1, on: database)
        }
        return Reply(Page(jobs, limit: limit) { JobCursor(after: $0).text })
    }

    /// The jobs of one question, or of the questions of one of the account's friends. They are few, so there are no
    /// pages.
    private func jobs(
        _ about: JobSubject, _ kind: JobState.Kind?, in lane: String?, limit: Int, _ request: APIRequest
    ) async throws -> Reply<Page<JobState, String>> {
        let account = request.caller.account
        let jobs = try await backend.database(of: account).run { database in
            let questions =
                switch about {
                case .question(let id): [id]
                case .friend(let id): try ContactStore().questions(ofFriend: id, account: account, on: database)
                }
            return try JobQueue().jobs(
                GeocodeStore().jobs(of: questions, on: database), orDeadWith: questions, limit: limit, on: database)
        }
        let shown = jobs.filter { (kind == nil || $0.kind == kind) && (lane == nil || $0.lane == lane) }
        return Reply(Page(shown, next: nil))
    }

    /// `GET /v1/jobs/finished`: jobs that succeeded, the latest first.
    func finishedJobs(_ request: APIRequest) async throws -> Reply<Page<FinishedJob, String>> {
        var query = QueryReader(request.http)
        let limit = query.limit(.work)
        let lane = query.text("lane")
        let after = query.finishedCursor("after")
        try query.finish()
        let jobs = try await backend.database(of: request.caller.account).run { database in
            try JobQueue().finished(in: lane, after: after, limit: limit + 1, on: database)
        }
        return Reply(Page(jobs, limit: limit) { FinishedJob.Cursor(after: $0).text })
    }

    /// `GET /v1/jobs/{id}`: a job with its questions, its failures, and the reason why it waits.
    func job(_ request: APIRequest) async throws -> Reply<JobCircumstances> {
        try request.refuseParameters()
        let id = try request.id()
        let found = try await backend.database(of: request.caller.account).run { database in
            try JobQueue().circumstances(of: id, on: database)
        }
        guard let found else { throw RequestError.notFound }
        return Reply(found)
    }

    /// `POST /v1/jobs/{id}/hurry`
    func hurryJob(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let id = try request.id()
        var fields = try await request.optionalFields()
        let subject = fields.integer("subject", in: 1...Int(Int32.max))
        try fields.finish()
        return try await act(request) { database in
            let author = request.caller.author
            let hurried: Int?
            if let subject {
                hurried = try QuestionQueue().hurry(subject: subject, of: id, by: author, on: database)?.id
            } else {
                hurried = try JobQueue().hurry(id, by: author, on: database) ? id : nil
            }
            guard let hurried else { throw try refusal(id, "hurried", subject: subject, on: database) }
            return .json { json in json.object { $0.member("job", hurried) } }
        }
    }

    /// `POST /v1/jobs/{id}/retry`
    func retryJob(_ request: APIRequest) async throws -> ServerResponse {
        try await steer(request, "retried", { $0.waiting + $0.dead }) { try await retry(.job($0), $1, by: $2) }
    }

    /// `POST /v1/jobs/{id}/cancel`
    func cancelJob(_ request: APIRequest) async throws -> ServerResponse {
        try await steer(request, "cancelled", { $0.waiting }) { try await cancel(.job($0), $1, by: $2) }
    }

    /// `POST /v1/jobs/{id}/discard`
    func discardJob(_ request: APIRequest) async throws -> ServerResponse {
        try await steer(request, "discarded", { $0.dead }) { try await discard(.job($0), $1, by: $2) }
    }

    /// `POST /v1/jobs/retry`: enqueues dead jobs again, and makes delayed jobs due now.
    func retryJobs(_ request: APIRequest) async throws -> ServerResponse {
        try await steer(request) { selection, count, isDry in
            try await retry(selection, count, by: isDry ? nil : request.caller)
        }
    }

    /// `POST /v1/jobs/cancel`
    func cancelJobs(_ request: APIRequest) async throws -> ServerResponse {
        try await steer(request) { selection, count, isDry in
            try await cancel(selection, count, by: isDry ? nil : request.caller)
        }
    }

    /// `POST /v1/jobs/discard`
    func discardJobs(_ request: APIRequest) async throws -> ServerResponse {
        try await steer(request) { selection, count, isDry in
            try await discard(selection, count, by: isDry ? nil : request.caller)
        }
    }
}

/// How many jobs match, as ``JobQueue/count(_:on:)`` counts them.
private typealias JobCount = (waiting: Int, delayed: Int, dead: Int)

extension APIServer {
    /// Acts on the job in the path, unless nothing in it can be acted on.
    private func steer(
        _ request: APIRequest, _ participle: String, _ fitting: @Sendable (JobCount) -> Int,
        _ body: (Int, JobCount, Caller) async throws -> ServerResponse
    ) async throws -> ServerResponse {
        try request.refuseParameters()
        let id = try request.id()
        let count = try await backend.adminDatabase(of: request.caller.account).run { database in
            let count = try JobQueue().count(.job(id), on: database)
            guard fitting(count) > 0 else { throw try refusal(id, participle, on: database) }
            return count
        }
        return try await body(id, count, request.caller)
    }

    /// Acts on all jobs that the body selects, or only counts them.
    private func steer(
        _ request: APIRequest, _ body: (JobSelection, JobCount, _ isDry: Bool) async throws -> ServerResponse
    ) async throws -> ServerResponse {
        try request.refuseParameters()
        var fields = try await request.fields()
        let (lane, reason, ids) = (fields.text("lane"), fields.text("reason"), fields.ids("ids"))
        let isAll = fields.flag("all") ?? false
        let isDry = fields.flag("dry_run") ?? false
        let ways = [isAll, !ids.isEmpty, !(lane.isEmpty && reason.isEmpty)].count { $0 }
        if ways != 1, !["lane", "reason", "all", "ids"].contains(where: fields.isMistaken) {
            fields.mistake(
                "all", "is to be true where neither ids, lane nor reason are given, and ids go with none of them")
        }
        if ids.count > 1_000 { fields.mistake("ids", "are more than 1000") }
        try fields.finish()
        let selection =
            ids.isEmpty
            ? JobSelection.all(lane: lane.isEmpty ? nil : lane, reason: reason.isEmpty ? nil : reason) : .jobs(ids)
        let count: JobCount
        do {
            count = try await backend.adminDatabase(of: request.caller.account).run { database in
                try JobQueue().count(selection, on: database)
            }
        } catch let error as QueueError where error.cause == .noSuchLane {
            throw RequestError.invalid(fields: [.init(field: "lane", detail: "is no lane that there is")])
        }
        return try await body(selection, count, isDry)
    }

    /// Without a `caller` it only counts.
    private func retry(
        _ selection: JobSelection, _ count: JobCount, by caller: Caller?
    ) async throws -> ServerResponse {
        var retried: QuestionQueue.Retried?
        if let caller {
            retried = try await QuestionQueue().retry(
                selection, by: caller.author, on: backend.adminDatabase(of: caller.account))
        }
        return .json { json in
            json.object { json in
                json.member("dry_run", caller == nil)
                json.member("dead", count.dead)
                json.member("delayed", count.delayed)
                json.member("revived", retried?.revived ?? 0)
                json.member("obsolete", retried?.obsolete ?? 0)
                json.member("hastened", retried?.hastened ?? 0)
            }
        }
    }

    private func cancel(
        _ selection: JobSelection, _ count: JobCount, by caller: Caller?
    ) async throws -> ServerResponse {
        var cancelled = 0
        if let caller {
            cancelled = try await QuestionQueue().cancel(
                selection, by: caller.author, on: backend.adminDatabase(of: caller.account))
        }
        return .json { json in
            json.object { json in
                json.member("dry_run", caller == nil)
                json.member("waiting", count.waiting)
                json.member("cancelled", cancelled)
            }
        }
    }

    private func discard(
        _ selection: JobSelection, _ count: JobCount, by caller: Caller?
    ) async throws -> ServerResponse {
        var discarded = 0
        if let caller {
            discarded = try await backend.adminDatabase(of: caller.account).transaction { database in
                try JobQueue().discard(selection, by: caller.author, on: database)
            }
        }
        return .json { json in
            json.object { json in
                json.member("dry_run", caller == nil)
                json.member("dead", count.dead)
                json.member("discarded", discarded)
            }
        }
    }

    /// The reason why an action on a job is impossible.
    private func refusal(
        _ id: Int, _ participle: String, subject: Int? = nil, on database: isolated Connection
    ) throws -> RequestError {
        guard let job = try JobQueue().job(id, on: database) else { return .notFound }
        return .conflict(job.refusal(participle, subject: subject).description)
    }
}

extension AccountDatabase: Transacting {}

/// The object whose jobs are listed.
private enum JobSubject: Sendable {
    case question(Int)
    case friend(Int)
}

extension QueryReader {
    fileprivate mutating func jobSubject(isPaged: Bool) -> JobSubject? {
        let (question, friend) = (integer("question", in: 1...Int.max), integer("friend", in: 1...Int.max))
        if question != nil || friend != nil, isPaged {
            return mistake("after", "goes with neither question nor friend")
        }
        if question != nil, friend != nil { return mistake("friend", "does not go with question") }
        return question.map { .question($0) } ?? friend.map { .friend($0) }
    }

    fileprivate mutating func jobCursor(_ name: String) -> JobCursor? {
        guard let text = text(name) else { return nil }
        return JobCursor(text: text) ?? mistake(name, "is no next_after of an earlier answer")
    }

    fileprivate mutating func finishedCursor(_ name: String) -> FinishedJob.Cursor? {
        guard let text = text(name) else { return nil }
        return FinishedJob.Cursor(text: text) ?? mistake(name, "is no next_after of an earlier answer")
    }
}
