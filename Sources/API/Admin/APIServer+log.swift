import Access
import HTTP
import JSON
import Locations
import Postgres
import Queue
import Shapes

extension APIServer {
    /// `GET /v1/log`: the audit log, the latest entry first.
    func log(_ request: APIRequest, _ query: LogQuery) async throws -> Reply<PageBefore<Act>> {
        try await backend.adminDatabase(of: request.caller.account).run { database in
            let page = try PageBefore(query.limit, next: \.id) {
                try AuditLog().acts(
                    query.filter, for: request.caller.accountName, before: query.before, limit: $0, on: database)
            }
            return Reply(page)
        }
    }
}

struct LogQuery: QueryInput {
    let limit: Int, before: Int?
    var filter = ActFilter()

    init(_ query: inout RequestReader) {
        limit = query.limit(.records)
        before = query.id("before", "Only acts with smaller numbers.", example: 1000)
        filter.verb = query.text("verb", "An act, or a group of acts.", example: "lanes")
        filter.target = query.text("target", "What it was done to.", example: "nominatim")
        filter.who = query.text("who", "A user, a token's name or number, an account or a machine.", example: "pages")
        filter.age = query.seconds("last_seconds", "How far to look back.", example: 86_400)
    }
}
