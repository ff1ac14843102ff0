import Access
import Contacts
import HTTP
import JSON
import Queue

/// The cluster for a person who watches it. It contains no data of an account.
extension APIServer {
    /// `GET /v1/overview`
    func overview(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let overview = try await Self.overview(for: request.caller, in: backend)
        return .json { $0.overview(overview) }
    }

    /// `GET /v1/overview/events`: the overview after each change, with one query for all clients.
    func overviewEvents(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        return try events(of: overviews, for: request)
    }

    static func overviewEvent(for caller: Caller, in backend: Backend) async throws -> [UInt8] {
        let overview = try await overview(for: caller, in: backend)
        return Array("event: overview\ndata: ".utf8) + JSONWriter.bytes { $0.overview(overview) } + Array("\n\n".utf8)
    }

    /// `GET /v1/throughput/history`
    func throughputHistory(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let span = query.choice("span", of: HistorySpan.allCases.map(\.rawValue)).flatMap(HistorySpan.init) ?? .hour
        try query.finish()
        let history = try await backend.database(of: request.caller.account).run {
            try JobQueue().history(span, on: $0)
        }
        return .json { $0.history(history) }
    }

    private static func overview(for caller: Caller, in backend: Backend) async throws -> Overview {
        try await backend.database(of: caller.account).transaction { database in
            let (lanes, throughput) = try JobQueue().overview(on: database)
            return Overview(
                lanes: lanes, throughput: throughput, workers: try ProcessRegistry().workers(on: database),
                saved: CallsSaved(answered: try ContactStore().answeredAddresses(on: database), lanes: lanes))
        }
    }
}

private struct Overview: Sendable {
    let lanes: [LaneState]
    let throughput: Throughput
    let workers: [WorkerState]
    let saved: CallsSaved
}

extension JSONWriter {
    fileprivate mutating func overview(_ overview: Overview) {
        object { json in
            json.member("as_of", overview.throughput.asOf / .seconds(1))
            json.member("answered_addresses", overview.saved.answered)
            json.member("called_addresses", overview.saved.called)
            json.member("calls_saved", overview.saved.saved)
            json.list("lanes", overview.lanes) { json, lane in
                let throughput = overview.throughput.lanes.first { $0.name == lane.lane }
                json.object { json in
                    json.laneMembers(lane)
                    json.object("throughput") { json in
                        for span in ThroughputSpan.allCases {
                            guard let count = throughput?.spans[span] else { continue }
                            json.object(span.rawValue) { json in
                                json.count(count.counts, seconds: count.seconds)
                                json.member("permitted", throughput?.permitted(span))
                            }
                        }
                    }
                }
            }
            json.list("workers", overview.workers) { json, worker in
                let spans = overview.throughput.workers.first { $0.id == worker.id }?.spans ?? [:]
                json.object { json in
                    json.member("id", worker.id)
                    json.member("name", worker.name)
                    json.member("host", worker.host)
                    json.member("pid", worker.pid)
                    json.list("lanes", worker.lanes) { $0.value($1) }
                    json.member("age_seconds", worker.age / .seconds(1))
                    json.member("held", worker.held)
                    json.member("quiet", worker.isQuiet)
                    json.member("memory_bytes", worker.memory)
                    json.member("silent_seconds", worker.silence / .seconds(1))
                    json.object("throughput") { json in
                        for span in ThroughputSpan.allCases {
                            guard let count = spans[span] else { continue }
                            json.object(span.rawValue) { $0.count(count.counts, seconds: count.seconds) }
                        }
                    }
                }
            }
        }
    }

    fileprivate mutating func history(_ history: ThroughputHistory) {
        object { json in
            json.member("span", history.span.rawValue)
            json.member("start", history.start / .seconds(1))
            json.member("step_seconds", history.span.step)
            json.list("lanes", history.lanes) { json, lane in
                json.object { json in
                    json.member("name", lane.name)
                    json.list("steps", Array(lane.steps.indices)) { json, step in
                        let seconds = history.seconds(of: step, in: lane)
                        json.object { json in
                            json.count(lane.steps[step], seconds: seconds)
                            json.member("permitted", lane.limits.permitted(in: seconds))
                        }
                    }
                }
            }
        }
    }

    private mutating func count(_ counts: CallCounts, seconds: Double) {
        member("seconds", seconds)
        member("calls", counts.calls)
        member("answered", counts.answered)
        member("retried", counts.retried)
        member("limited", counts.limited)
        member("failed", counts.failed)
        member("lost", counts.lost)
        member("under_way", counts.underWay)
        member("subjects", counts.subjects)
    }
}
