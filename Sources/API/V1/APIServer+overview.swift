import Access
import Contacts
import HTTP
import Postgres
import Queue
import Shapes

/// The cluster for a person who watches it. It contains no data of an account.
extension APIServer {
    /// `GET /v1/overview`
    func overview(_ request: APIRequest) async throws -> Reply<Overview> {
        Reply(try await Self.overview(for: request.caller, in: backend))
    }

    /// `GET /v1/overview/events`: the overview after each change, with one query for all clients.
    func overviewEvents(_ request: APIRequest) async throws -> ServerResponse {
        try events(of: overviews, for: request)
    }

    static func overviewEvent(for caller: Caller, in backend: Backend) async throws -> [UInt8] {
        event("overview", try await overview(for: caller, in: backend))
    }

    /// `GET /v1/throughput/history`
    func throughputHistory(_ request: APIRequest, _ query: HistoryQuery) async throws -> Reply<ThroughputHistory> {
        let history = try await backend.database(of: request.caller.account).run {
            try JobQueue().history(query.span, on: $0)
        }
        return Reply(history)
    }

    private static func overview(for caller: Caller, in backend: Backend) async throws -> Overview {
        try await backend.database(of: caller.account).transaction { database in
            let (lanes, throughput) = try JobQueue().overview(on: database)
            return Overview(
                lanes, throughput, workers: try ProcessRegistry().workers(on: database),
                answered: try ContactStore().answeredAddresses(on: database))
        }
    }
}

struct HistoryQuery: QueryInput {
    let span: HistorySpan

    init(_ query: inout RequestReader) {
        span = query.choice("span", of: HistorySpan.allCases, "How far back.", usual: .hour, example: "1d") ?? .hour
    }
}
