import Access
import HTTP
import JSON
import Locations
import Postgres
import Queue

extension APIServer {
    /// `GET /v1/log`: the audit log, the latest entry first.
    func log(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let limit = query.integer("limit", in: 1...1_000) ?? 100
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
        let shown = acts.prefix(limit)
        return .json { json in
            json.object { json in
                json.list("data", shown) { $0.act($1) }
                json.member("next_before", acts.count > limit ? shown.last?.id : nil)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func act(_ act: Act) {
        object { json in
            json.member("id", act.id)
            json.member("at", Timestamp.text(act.at / .seconds(1)))
            json.member("verb", act.verb)
            json.member("target", act.target)
            json.object("who") { json in
                json.member("name", act.author.name)
                json.member("token", act.author.token)
                json.member("account", act.author.account)
                json.member("host", act.author.host)
            }
            json.object("before") { json in json.texts(act.before) }
            json.object("after") { json in json.texts(act.after) }
        }
    }

    private mutating func texts(_ texts: [String: String]) {
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) { member(name, text) }
    }
}
