import HTTP
import Postgres

extension APIServer {
    /// `GET /health`: whether requests can be answered here.
    func health(_ request: ServerRequest) async throws -> ServerResponse {
        // No account has the number 0: this connection sees nobody's rows.
        let works: Bool = try await backend.database(of: 0).run { database in
            try database.query("SELECT true AS works", within: .seconds(2))[0].read("works")
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
