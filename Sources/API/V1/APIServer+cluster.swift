import Access
import HTTP
import JSON
import Queue

/// The state of the cluster for a person on call. It contains no data of an account.
extension APIServer {
    /// `GET /v1/lanes`
    func lanes(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let lanes = try await states(for: request.caller)
        return .json { json in
            json.object { json in json.list("data", lanes) { $0.lane($1) } }
        }
    }

    /// `GET /v1/lanes/{name}`
    func lane(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        guard let name = request.http.parameters["name"], let lane = try await states(name, for: request.caller).first
        else { throw RequestError.notFound }
        return .json { $0.lane(lane) }
    }

    /// `GET /v1/queue`: the sums over all lanes.
    func queue(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let lanes = try await states(for: request.caller)
        return .json { json in
            json.object { json in
                json.member("ready", lanes.map(\.ready).reduce(0, +))
                json.member("later", lanes.map(\.later).reduce(0, +))
                json.member("held", lanes.map(\.held).reduce(0, +))
                json.member("dead", lanes.map(\.dead).reduce(0, +))
                json.member("calls_last_minute", lanes.map(\.callsLastMinute).reduce(0, +))
                json.list("shut_lanes", lanes.filter { $0.condition != .open && $0.condition != .probing }) {
                    $0.value($1.lane)
                }
            }
        }
    }

    private func states(_ name: String? = nil, for caller: Caller) async throws -> [LaneState] {
        try await backend.database(of: caller.account).run { database in
            try JobQueue().lanes(name, on: database)
        }
    }
}

extension JSONWriter {
    mutating func lane(_ lane: LaneState) {
        object { json in
            json.laneMembers(lane)
            json.object("settings") { $0.settings(lane.settings) }
        }
    }

    mutating func laneMembers(_ lane: LaneState) {
        member("name", lane.lane)
        member("kind", lane.kind.rawValue)
        member("state", lane.condition.word)
        member("because", lane.condition.reason)
        if let failures = lane.failures {
            object("failures") { json in
                json.member("reason", failures.reason)
                json.member("at", failures.at / .seconds(1))
                json.member("failed", failures.failed)
                json.member("calls", failures.calls)
            }
        } else {
            null("failures")
        }
        list("limits", lane.limits) { json, state in
            json.object { json in
                json.member("calls", state.limit.calls)
                json.member("per_seconds", state.limit.per / .seconds(1))
                json.member("burst", state.limit.burst)
            }
        }
        member("pace", lane.pace)
        member("batch", lane.settings.batch)
        member("ready", lane.ready)
        member("later", lane.later)
        member("held", lane.held)
        member("dead", lane.dead)
        member("workers", lane.workers)
        member("calls", lane.calls)
        member("calls_last_minute", lane.callsLastMinute)
        member("oldest_wait_seconds", lane.oldestWaited.map { $0 / .seconds(1) })
        member("done_in_seconds", lane.estimate.seconds)
        member("done_basis", lane.estimate.basis)
        member("counted_at", lane.countedAt / .seconds(1))
    }
}
