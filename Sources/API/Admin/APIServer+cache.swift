import Access
import Geocoding
import HTTP
import Postgres
import Questions
import Queue
import Shapes

/// Stored answers. They belong to no account, so these routes are about the answers of all accounts.
extension APIServer {
    /// `GET /v1/cache`: the number of answers, by provider and status.
    func cache(_ request: APIRequest) async throws -> Reply<List<CacheStats>> {
        try request.refuseParameters()
        let stats = try await backend.adminDatabase(of: request.caller.account).run { database in
            try GeocodeStore().cacheStats(on: database)
        }
        return Reply(List(stats))
    }

    /// `POST /v1/cache/expire`: the questions are asked again.
    func expireAnswers(_ request: APIRequest) async throws -> Reply<AnswersMeant> {
        let (selection, isDry) = try await selection(of: request)
        let database = try backend.adminDatabase(of: request.caller.account)
        let count = try await database.transaction { database in
            try isDry
                ? GeocodeStore().countExpirable(selection, on: database)
                : QuestionQueue().expire(selection, by: request.caller.author, on: database)
        }
        return Reply(AnswersMeant(isDry: isDry, answers: count))
    }

    /// `POST /v1/cache/purge`: deletes answers that no address uses.
    func purgeAnswers(_ request: APIRequest) async throws -> Reply<AnswersMeant> {
        let (selection, isDry) = try await selection(of: request)
        let database = try backend.adminDatabase(of: request.caller.account)
        let count =
            isDry
            ? try await database.run { try QuestionQueue().countPurgeable(selection, on: $0) }
            : try await QuestionQueue().purge(selection, by: request.caller.author, on: database)
        return Reply(AnswersMeant(isDry: isDry, answers: count))
    }

    private func selection(of request: APIRequest) async throws -> (AnswerFilter, isDry: Bool) {
        try request.refuseParameters()
        var fields = try await request.fields()
        let (provider, status) = (fields.text("provider"), fields.text("status"))
        let seconds = fields.integer("older_seconds", in: 1...3_162_240_000)
        let isAll = fields.flag("all") ?? false
        let isDry = fields.flag("dry_run") ?? false
        let known = status.isEmpty ? nil : GeocodeStatus(rawValue: status)
        if !status.isEmpty, known == nil || known == .waiting {
            fields.mistake("status", "is none of located, needs_review, not_found, failed, forgotten")
        }
        let isFiltered = !provider.isEmpty || !status.isEmpty || seconds != nil
        if isAll == isFiltered, !["provider", "status", "older_seconds", "all"].contains(where: fields.isMistaken) {
            fields.mistake("all", "is to be true where there is no filter, and only there")
        }
        try fields.finish()
        return (
            AnswerFilter(
                provider: provider.isEmpty ? nil : provider, status: known, age: seconds.map { .seconds($0) }), isDry
        )
    }
}

/// The number of answers that an act changed, or would change.
struct AnswersMeant: Shaped {
    let isDry: Bool
    let answers: Int

    static let shape = Shape<AnswersMeant>("AnswersMeant", "The answers that were changed, or would be.") {
        Member("dry_run") { $0.isDry }
        Member("answers", example: 12) { $0.answers }
    }
}
