import Access
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue

/// Stored answers. They belong to no account, so these routes are about the answers of all accounts.
extension APIServer {
    /// `GET /v1/cache`: the number of answers, by provider and status.
    func cache(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let stats = try await backend.adminDatabase(of: request.caller.account).run { database in
            try GeocodeStore().cacheStats(on: database)
        }
        return .json { json in
            json.object { json in
                json.list("data", stats) { json, row in
                    json.object { json in
                        json.member("provider", row.provider.isEmpty ? nil : row.provider)
                        json.member("status", row.status.rawValue)
                        json.member("answers", row.answers)
                        json.member("shared", row.shared)
                        json.member("pinned", row.pinned)
                        json.member("expiring", row.expiring)
                        json.member("oldest_seconds", row.oldest.map { $0 / .seconds(1) })
                    }
                }
            }
        }
    }

    /// `POST /v1/cache/expire`: the questions are asked again.
    func expireAnswers(_ request: APIRequest) async throws -> ServerResponse {
        let (selection, isDry) = try await selection(of: request)
        let database = try backend.adminDatabase(of: request.caller.account)
        let count = try await database.transaction { database in
            try isDry
                ? GeocodeStore().countExpirable(selection, on: database)
                : QuestionQueue().expire(selection, by: request.caller.author, on: database)
        }
        return .answers(count, isDry)
    }

    /// `POST /v1/cache/purge`: deletes answers that no address uses.
    func purgeAnswers(_ request: APIRequest) async throws -> ServerResponse {
        let (selection, isDry) = try await selection(of: request)
        let database = try backend.adminDatabase(of: request.caller.account)
        let count =
            isDry
            ? try await database.run { try QuestionQueue().countPurgeable(selection, on: $0) }
            : try await QuestionQueue().purge(selection, by: request.caller.author, on: database)
        return .answers(count, isDry)
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
                provider: provider.isEmpty ? nil : provider, status: known, age: .seconds(seconds ?? 0)), isDry
        )
    }
}

extension ServerResponse {
    fileprivate static func answers(_ count: Int, _ isDry: Bool) -> ServerResponse {
        .json { json in
            json.object { json in
                json.member("dry_run", isDry)
                json.member("answers", count)
            }
        }
    }
}
