import HTTP
import Postgres

extension APIServer {
    /// `GET /health`: whether requests can be answered here.
    func health(_ request: ServerRequest) async throws -> ServerResponse {
        // No account has the number 0: this connection sees nobody's rows.
        let works = try await withThrowingTaskGroup(of: Bool.self) { [backend] group in
            group.addTask {
                try await backend.database(of: 0).run { database in
                    try database.query("SELECT true AS works")[0].read("works")
                }
            }
            group.addTask {
                try await Task.sleep(for: backend.healthLimit)
                throw Refusal.databaseIsAway
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        return .json { json in json.object { $0.member("status", works ? "ok" : "unknown") } }
    }

    /// `GET /v1/openapi.json`
    func description(_ request: ServerRequest) async throws -> ServerResponse {
        ServerResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: .bytes(PackageResources.openapi_json))
    }
}
