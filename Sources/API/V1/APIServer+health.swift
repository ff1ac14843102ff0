import Access
import HTTP
import Processes
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var healthRoutes: [APIRoute] {
        APIRoute(.get, "/metrics", .admin, is: .metrics) { _ in
            let text = await backend.scrape()
            return ServerResponse(
                status: 200, headers: ["Content-Type": Metrics.contentType], body: .bytes(Array(text.utf8)))
        }
        .described(
            "getMetrics", "Shows the metrics of this process and of the cluster, for Prometheus",
            details:
                "While the database is away, whoever was let in during the last hour still gets the numbers of this process.",
            .ok(
                "The metrics, in the text format of Prometheus.",
                .text.with(
                    example:
                        "# HELP waypost_leaders 1 where a coordinator leads, 0 where none does.\n# TYPE waypost_leaders gauge\nwaypost_leaders 1\n"
                ), type: "text/plain; version=0.0.4; charset=utf-8"))
        APIRoute(
            .get, "/v1/openapi.json",
            anyone: { _ in
                ServerResponse(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(Self.openAPI))
            }
        )
        .described(
            "getDescription", "Shows this description",
            .ok("This description.", .map(.anything).with(example: ["openapi": "3.1.0"])))
        APIRoute(health: "/livez") { _ in Reply(Health()) }
            .described(
                "getLiveness", "Checks that the process answers",
                .ok("It does, whatever else is the matter."))
        APIRoute(health: "/health") { _ in
            guard try await standing().isHeard else { throw RequestError.unheard }
            return Reply(Health(standby: backend.standby.map { Health.Copy(state: $0.state, lag: $0.lag) }))
        }
        .described(
            "getHealth",
            "Checks that requests can be answered, and that the cluster receives this process's heartbeats",
            .ok("They can."), refuses: [503])
        APIRoute(health: "/readyz") { _ in
            let standing = try await standing()
            guard standing.isHeard else { throw RequestError.unheard }
            guard standing.isLed else { throw RequestError.leaderless }
            return Reply(Health())
        }
        .described(
            "getReadiness", "Checks that requests can be answered, and that a coordinator leads",
            .ok("They can, and some coordinator leads."), refuses: [503])
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
