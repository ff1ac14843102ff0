import Access
import Geocoding
import HTTP
import Postgres
import Questions
import Shapes

extension APIServer {
    /// `GET /v1/cache/answers`: single answers, the latest first. The response contains no addresses and no places.
    func keptAnswers(_ request: APIRequest, _ query: AnswersQuery) async throws -> Reply<PageBefore<StoredAnswer>> {
        let (answers, next) = try await backend.adminDatabase(of: request.caller.account).run { database in
            try GeocodeStore().answers(matching: query.filter, before: query.before, limit: query.limit, on: database)
        }
        return Reply(PageBefore(answers, next: next))
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
