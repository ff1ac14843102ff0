import Access
import HTTP
import JSON
import Queue

extension APIServer {
    /// `GET /livez`: this process responds, whatever else is wrong.
    func liveness(_ request: ServerRequest) async throws -> ServerResponse { wellness }

    /// `GET /health`: requests can be answered here, and the cluster gets this process's heartbeats.
    func health(_ request: ServerRequest) async throws -> ServerResponse {
        guard try await standing().isHeard else { throw RequestError.unheard }
        guard let standby = backend.standby else { return wellness }
        return .json { json in
            json.object { json in
                json.member("status", "ok")
                json.object("standby") { json in
                    json.member("state", standby.state.rawValue)
                    json.member("lag_seconds", standby.lag.map { ($0 / .milliseconds(1)).rounded() / 1_000 })
                }
            }
        }
    }

    /// `GET /readyz`: the same, and some coordinator leads, so that new work is processed.
    func readiness(_ request: ServerRequest) async throws -> ServerResponse {
        let standing = try await standing()
        guard standing.isHeard else { throw RequestError.unheard }
        guard standing.isLed else { throw RequestError.leaderless }
        return wellness
    }

    private var wellness: ServerResponse {
        .json { json in json.object { $0.member("status", "ok") } }
    }

    /// The watch's result, at once. If the watch does not run, the database is queried.
    private func standing() async throws -> CoordinatorStanding {
        switch backend.watch.finding {
        case .there(let standing): return standing
        case .away: throw RequestError.databaseIsAway
        case .unknown: return try await askForStanding()
        }
    }

    private func askForStanding() async throws -> CoordinatorStanding {
        try await withThrowingTaskGroup(of: CoordinatorStanding.self) { [backend] group in
            group.addTask {
                // No account has the number 0, so this connection sees no account's rows.
                try await backend.strangers.run { try backend.standing($0) }
            }
            group.addTask {
                try await Task.sleep(for: backend.healthLimit)
                throw RequestError.databaseIsAway
            }
            defer { group.cancelAll() }
            return try await group.next() ?? CoordinatorStanding(isHeard: false, isLed: false)
        }
    }

    /// `GET /v1/openapi.json`
    func description(_ request: ServerRequest) async throws -> ServerResponse {
        ServerResponse(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(Self.openAPI))
    }
}
