import Access
import HTTP
import Postgres
import Queue
import Shapes

extension APIServer {
    /// `GET /v1/workers`
    func workers(_ request: APIRequest) async throws -> Reply<List<WorkerState>> {
        let workers = try await backend.database(of: request.caller.account).run { database in
            try ProcessRegistry().workers(on: database)
        }
        return Reply(List(workers))
    }

    /// `POST /v1/workers/{id}/quiet`
    func quietWorker(_ request: APIRequest) async throws -> Reply<WorkerState> {
        try await setQuiet(true, request)
    }

    /// `POST /v1/workers/{id}/resume`
    func resumeWorker(_ request: APIRequest) async throws -> Reply<WorkerState> {
        try await setQuiet(false, request)
    }

    /// Uses the worker's id, because several workers may have one name.
    private func setQuiet(_ isQuiet: Bool, _ request: APIRequest) async throws -> Reply<WorkerState> {
        let id = try request.id()
        return try await act(request) { database in
            let registry = ProcessRegistry()
            try registry.setQuiet(isQuiet, number: id, by: request.caller.author, on: database)
            let worker = try registry.workers(on: database).first(where: { $0.id == id }).orThrow(.notFound)
            return Reply(worker)
        }
    }
}
