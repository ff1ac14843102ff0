import Access
import Contacts
import HTTP
import Postgres
import Queue
import Shapes

/// The cluster for a person who watches it. It contains no data of an account.
extension APIServer {
    @ListBuilder<APIRoute> var clusterRoutes: [APIRoute] {
        route(.get, "/v1/lanes", .admin, .look) { _, db in Reply(List(try JobQueue().lanes(on: db))) }
            .described("getLanes", "Lists lanes", .ok("The lanes."))
        route(.get, "/v1/lanes/{name}", .admin, .look) { request, db in
            Reply(try JobQueue().lanes(request.name, on: db).first.orThrow(.notFound))
        }
        .described("getLane", "Shows a lane", .ok("The lane."))
        route(.get, "/v1/queue", .admin, .look) { _, db in Reply(QueueTotals(try JobQueue().lanes(on: db))) }
            .described("getQueue", "Sums up the queue", .ok("The queue."))
        APIRoute(.get, "/v1/overview", .admin) { Reply(try await Self.overview(for: $0.caller, in: backend)) }
            .described(
                "getOverview", "Shows all lanes and workers with their throughput",
                details: "A call counts at the moment at which it left, also while it is under way.",
                .ok("The overview."))
        // The overview after each change, with one query for all clients.
        APIRoute(.get, "/v1/overview/events", .admin) { try events(of: overviews, for: $0) }
            .described(
                "getOverviewEvents", "Sends the overview again, at most once a second",
                .events(
                    "Server-sent events called `overview`, whose data is an Overview.",
                    "event: overview\ndata: {\"as_of\":1795169700.25,\"lanes\":[],\"workers\":[]}\n\n"))
        route(.get, "/v1/throughput/history", .admin, .look, HistoryQuery.self) { _, query, db in
            Reply(try JobQueue().history(query.span, on: db))
        }
        .described(
            "getThroughputHistory", "Shows the calls of each lane step by step",
            details:
                "A step is a minute of an hour, half an hour of a day, three hours of `7d` and twelve of `30d`; the last one is still going on.",
            .ok("The history."))
    }

    @ListBuilder<APIRoute> var workerRoutes: [APIRoute] {
        route(.get, "/v1/workers", .admin, .look) { _, db in Reply(List(try ProcessRegistry().workers(on: db))) }
            .described("getWorkers", "Lists workers", .ok("The workers."))
        route(.post, "/v1/workers/{id}/quiet", .admin, .act) { try setQuiet(true, $0, on: $1) }
            .described("quietWorker", "Makes a worker finish its jobs and claim no more", .ok("The worker."))
        route(.post, "/v1/workers/{id}/resume", .admin, .act) { try setQuiet(false, $0, on: $1) }
            .described("resumeWorker", "Makes a quiet worker claim jobs again", .ok("The worker."))
    }

    /// Uses the worker's id, because several workers may have one name.
    private func setQuiet(
        _ isQuiet: Bool, _ request: APIRequest, on database: isolated Connection
    ) throws -> Reply<WorkerState> {
        let (id, registry) = (try request.id(), ProcessRegistry())
        try registry.setQuiet(isQuiet, number: id, by: request.author, on: database)
        return Reply(try registry.workers(on: database).first(where: { $0.id == id }).orThrow(.notFound))
    }

    static func overviewEvent(for caller: Caller, in backend: Backend) async throws -> [UInt8] {
        event("overview", try await overview(for: caller, in: backend))
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
