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
        let stats = try await backend.adminDatabase(of: request.caller.account).run { database in
            try GeocodeStore().cacheStats(on: database)
        }
        return Reply(List(stats))
    }

    /// `POST /v1/cache/expire`: the questions are asked again.
    func expireAnswers(_ request: APIRequest, _ selection: AnswerSelection) async throws -> Reply<AnswersMeant> {
        let database = try backend.adminDatabase(of: request.caller.account)
        let count = try await database.transaction { database in
            try selection.isDry
                ? QuestionQueue().countExpirable(selection.filter, on: database)
                : QuestionQueue().expire(selection.filter, by: request.caller.author, on: database)
        }
        return Reply(AnswersMeant(isDry: selection.isDry, answers: count))
    }

    /// `POST /v1/cache/purge`: deletes answers that no address uses.
    func purgeAnswers(_ request: APIRequest, _ selection: AnswerSelection) async throws -> Reply<AnswersMeant> {
        let database = try backend.adminDatabase(of: request.caller.account)
        let count =
            selection.isDry
            ? try await database.run { try QuestionQueue().countPurgeable(selection.filter, on: $0) }
            : try await QuestionQueue().purge(selection.filter, by: request.caller.author, on: database)
        return Reply(AnswersMeant(isDry: selection.isDry, answers: count))
    }
}

struct AnswerSelection: BodyInput {
    var filter = AnswerFilter()
    let isDry: Bool

    init(_ body: inout RequestReader) {
        filter.provider = body.text("provider", example: "nominatim")?.orNil
        filter.status = body.choice("status", of: GeocodeStatus.answered, mayBeEmpty: true, example: "not_found")
        filter.age = body.seconds("older_seconds", example: 2_592_000)
        body.requireFilterOrAll(isFiltered: filter != AnswerFilter())
        isDry = body.isDry("Only count.")
    }
}

extension RequestReader {
    /// Reads `all`, so that a forgotten filter does not select everything.
    mutating func requireFilterOrAll(isFiltered: Bool) {
        let areRead = mistakeCount == 0
        let isAll = flag("all", "True where there is no filter.") ?? false
        if isAll == isFiltered, areRead, !isMistaken("all") {
            mistake("all", "must be true exactly where there is no filter")
        }
    }

    mutating func isDry(_ help: String) -> Bool { flag("dry_run", help, example: true) ?? false }
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
