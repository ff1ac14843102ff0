import Access
import HTTP
import Queue
import Shapes

/// The state of the cluster for a person on call. It contains no data of an account.
extension APIServer {
    /// `GET /v1/lanes`
    func lanes(_ request: APIRequest) async throws -> Reply<List<LaneState>> {
        Reply(List(try await states(for: request.caller)))
    }

    /// `GET /v1/lanes/{name}`
    func lane(_ request: APIRequest) async throws -> Reply<LaneState> {
        guard let name = request.http.parameters["name"], let lane = try await states(name, for: request.caller).first
        else { throw RequestError.notFound }
        return Reply(lane)
    }

    /// `GET /v1/queue`: the sums over all lanes.
    func queue(_ request: APIRequest) async throws -> Reply<QueueTotals> {
        let lanes = try await states(for: request.caller)
        return Reply(QueueTotals(lanes))
    }

    private func states(_ name: String? = nil, for caller: Caller) async throws -> [LaneState] {
        try await backend.database(of: caller.account).run { database in
            try JobQueue().lanes(name, on: database)
        }
    }
}
