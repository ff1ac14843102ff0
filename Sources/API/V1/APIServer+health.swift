import Access
import HTTP
import Queue
import Shapes

extension APIServer {
    /// `GET /livez`: this process responds, whatever else is wrong.
    func liveness(_ request: ServerRequest) async throws -> Reply<Health> { Reply(Health()) }

    /// `GET /health`: requests can be answered here, and the cluster gets this process's heartbeats.
    func health(_ request: ServerRequest) async throws -> Reply<Health> {
        guard try await standing().isHeard else { throw RequestError.unheard }
        return Reply(Health(standby: backend.standby.map { Health.Copy(state: $0.state, lag: $0.lag) }))
    }

    /// `GET /readyz`: the same, and some coordinator leads, so that new work is processed.
    func readiness(_ request: ServerRequest) async throws -> Reply<Health> {
        let standing = try await standing()
        guard standing.isHeard else { throw RequestError.unheard }
        guard standing.isLed else { throw RequestError.leaderless }
        return Reply(Health())
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

struct Health: Shaped {
    struct Copy: Shaped {
        let state: Standby.State
        let lag: Duration?

        static let shape = Shape<Copy>("", "") {
            Member("state", "Reads are answered there if `used`.") { $0.state }
            Member("lag_seconds", "The age of its data at most.", example: 0.2) {
                $0.lag.map { ($0 / .milliseconds(1)).rounded() / 1_000 }
            }.bounds(0)
        }
    }

    var standby: Copy?

    static let shape = Shape<Health>("Health", "") {
        Member("status", example: "ok") { _ in "ok" }.choices(["ok", "unknown"])
        Member(ifAny: "standby", "Only of `/health`, and only if the server has a standby.") { $0.standby }
    }
}

extension Standby.State: JSONRepresentable {}
