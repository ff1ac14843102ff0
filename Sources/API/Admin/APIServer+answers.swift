import Access
import Geocoding
import HTTP
import Postgres
import Questions
import Shapes

extension APIServer {
    /// `GET /v1/cache/answers`: single answers, the latest first. The response contains no addresses and no places.
    func keptAnswers(_ request: APIRequest) async throws -> Reply<PageBefore<StoredAnswer>> {
        var query = QueryReader(request.http)
        let limit = query.limit(.work)
        let before = query.integer("before", in: 1...Int.max)
        var filter = AnswerFilter()
        filter.status = query.choice("status", of: Self.keptStatuses).flatMap(GeocodeStatus.init)
        filter.provider = query.text("provider")
        filter.precision = query.choice("precision", of: Precision.allCases.map(\.rawValue)).flatMap(Precision.init)
        filter.below = query.number("confidence_below", in: 0...1)
        filter.age = query.integer("older_seconds", in: 1...3_162_240_000).map { .seconds($0) }
        filter.expiresWithin = query.integer("expires_seconds", in: 1...3_162_240_000).map { .seconds($0) }
        try query.finish()
        let (answers, next) = try await backend.adminDatabase(of: request.caller.account).run { [filter] database in
            try GeocodeStore().kept(filter, before: before, limit: limit, on: database)
        }
        return Reply(PageBefore(answers, next: next))
    }

    private static let keptStatuses = ["located", "needs_review", "not_found", "failed", "forgotten"]
}
