import Access
import Geocoding
import HTTP
import Postgres
import Questions
import Queue
import Shapes

/// Stored answers. They belong to no account, so these routes are about the answers of all accounts.
extension APIServer {
    @ListBuilder<APIRoute> var cacheRoutes: [APIRoute] {
        route(.get, "/v1/cache", .admin, .inspect) { _, db in Reply(List(try GeocodeStore().cacheStats(on: db))) }
            .described("getCache", "Counts stored answers", .ok("By provider and status."))
        route(.get, "/v1/cache/answers", .admin, .inspect, AnswersQuery.self) { _, query, db in
            let (answers, next) = try GeocodeStore().answers(
                matching: query.filter, before: query.before, limit: query.limit, on: db)
            return Reply(PageBefore(answers, next: next))
        }
        .described(
            "getCacheAnswers", "Lists stored answers",
            details:
                "One by one, the latest question first. Neither the address nor the place is told: an answer is everybody's who has the address. A page may have fewer answers than asked for, or none, and there may be more behind it as long as `next_before` is a number.",
            .ok("The answers."))
        route(.post, "/v1/cache/expire", .admin, is: .unremembered, .act, AnswerSelection.self) { request, wanted, db in
            let questions = QuestionQueue()
            let count =
                try wanted.isDry
                ? questions.countExpirable(wanted.filter, on: db)
                : questions.expire(wanted.filter, by: request.author, on: db)
            return Reply(AnswersMeant(isDry: wanted.isDry, answers: count))
        }
        .described(
            "expireAnswers", "Expires answers, so that they are asked again",
            details: "What a person decided stays.", .ok("How many."))
        APIRoute(.post, "/v1/cache/purge", .admin, is: .unremembered, purgeAnswers)
            .described(
                "purgeAnswers", "Deletes answers that no address uses any more",
                details: "What a person decided stays.", .ok("How many."))
    }

    private func purgeAnswers(_ request: APIRequest, _ wanted: AnswerSelection) async throws -> Reply<AnswersMeant> {
        let database = try backend.adminDatabase(of: request.account)
        let count =
            wanted.isDry
            ? try await database.run { try QuestionQueue().countPurgeable(wanted.filter, on: $0) }
            : try await QuestionQueue().purge(wanted.filter, by: request.author, on: database)
        return Reply(AnswersMeant(isDry: wanted.isDry, answers: count))
    }
}

struct AnswersQuery: QueryInput {
    let limit: Int, before: Int?
    var filter = AnswerFilter()

    init(_ query: inout RequestReader) {
        limit = query.limit(.work)
        before = query.id("before", "`next_before` of the page before.", example: 900)
        filter.status = query.choice("status", of: GeocodeStatus.answered, example: "located")
        filter.provider = query.text("provider", example: "nominatim")
        filter.precision = query.choice("precision", of: Precision.allCases, example: "city")
        filter.below = query.number("confidence_below", in: 0...1, "A missing confidence counts as 0.", example: 0.8)
        filter.age = query.seconds("older_seconds", "Only answers that are at least so old.", example: 86_400)
        filter.expiresWithin = query.seconds(
            "expires_seconds", "Only answers that expire within this time.", example: 604_800)
    }
}

extension GeocodeStatus {
    static let answered = allCases.filter { $0 != .waiting }
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
