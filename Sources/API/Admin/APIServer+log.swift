import Access
import HTTP
import JSON
import Locations
import Postgres
import Queue
import Shapes

extension APIServer {
    /// `GET /v1/log`: the audit log, the latest entry first.
    func log(_ request: APIRequest) async throws -> Reply<PageBefore<Act>> {
        var query = QueryReader(request.http)
        let limit = query.limit(.records)
        let before = query.integer("before", in: 1...Int.max)
        let filter = ActFilter(
            verb: query.text("verb"), target: query.text("target"), who: query.text("who"),
            age: query.integer("last_seconds", in: 1...3_162_240_000).map { .seconds($0) })
        try query.finish()
        let acts = try await backend.adminDatabase(of: request.caller.account).run { database in
            // One more than requested shows whether there are more.
            try AuditLog().acts(
                filter, for: request.caller.accountName, before: before, limit: limit + 1, on: database)
        }
        return Reply(PageBefore(acts, limit: limit) { $0.id })
    }
}
