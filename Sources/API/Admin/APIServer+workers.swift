import Access
import HTTP
import JSON
import Postgres
import Queue

extension APIServer {
    /// `GET /v1/workers`
    func workers(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let workers = try await backend.database(of: request.caller.account).run { database in
            try ProcessRegistry().workers(on: database)
        }
        return .json { json in
            json.object { json in json.list("data", workers) { $0.worker($1) } }
        }
    }

    /// `POST /v1/workers/{id}/quiet`
    func quietWorker(_ request: APIRequest) async throws -> ServerResponse {
        try await setQuiet(true, request)
    }

    /// `POST /v1/workers/{id}/resume`
    func resumeWorker(_ request: APIRequest) async throws -> ServerResponse {
        try await setQuiet(false, request)
    }

    /// Uses the worker's id, because several workers may have one name.
    private func setQuiet(_ isQuiet: Bool, _ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let id = try request.id()
        return try await act(request) { database in
            let registry = ProcessRegistry()
            try registry.setQuiet(isQuiet, number: id, by: request.caller.author, on: database)
            guard let worker = try registry.workers(on: database).first(where: { $0.id == id }) else {
                throw RequestError.notFound
            }
            return .json { $0.worker(worker) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func worker(_ worker: WorkerState) {
        object { json in
            json.member("id", worker.id)
            json.member("name", worker.name)
            json.member("host", worker.host)
            json.member("pid", worker.pid)
            json.list("lanes", worker.lanes) { $0.value($1) }
            json.member("held", worker.held)
            json.member("is_quiet", worker.isQuiet)
            json.member("memory_bytes", worker.memory)
            json.member("age_seconds", worker.age / .seconds(1))
            json.member("silent_seconds", worker.silence / .seconds(1))
        }
    }
}
