import Access
import Postgres
import Processes
import Queue

/// The data for one screen of `waypost top`.
struct TopSnapshot: Sendable {
    var asOf: Duration
    var lanes: [LaneState] = []
    var throughput: Throughput
    var workers: [WorkerState] = []
    var troubles: [CallTrouble] = []
    /// The latest dead jobs.
    var dead: [JobState] = []
    /// The requests at the gateway in the last minute.
    var traffic: GatewayTraffic

    /// The number of all calls ever made. The difference between two snapshots gives the rate.
    var calls: Int {
        lanes.map(\.calls).reduce(0, +) + throughput.lanes.compactMap { $0.spans[.day]?.counts.underWay }.reduce(0, +)
    }

    func throughput(of lane: LaneState) -> Throughput.Lane? { throughput.lanes.first { $0.name == lane.lane } }

    func spans(of worker: WorkerState) -> [ThroughputSpan: Throughput.Count] {
        throughput.workers.first { $0.id == worker.id }?.spans ?? [:]
    }
}

extension TopSnapshot {
    /// Call it in a transaction that reads a snapshot, so that all data are of the same moment.
    init(_ app: Application, _ database: isolated Connection) throws {
        let (lanes, throughput) = try app.queue.overview(on: database)
        self.init(
            asOf: throughput.asOf, lanes: lanes, throughput: throughput,
            workers: try app.registry.workers(on: database), troubles: try app.queue.troubles(50, on: database),
            dead: try app.queue.list([.dead], limit: 20, on: database),
            traffic: try GatewayTraffic.look(.minute, on: database))
    }
}

/// One line of the errors that `waypost top` collects.
struct TopTrouble: Hashable, Sendable {
    let at: Duration
    let lane: String
    let text: String

    init(_ trouble: CallTrouble) {
        (at, lane) = (trouble.at, trouble.lane)
        let took = trouble.took.map { ", took \(Readable.duration($0))" } ?? ""
        let reason = trouble.reason.map { ": \($0)" } ?? ""
        text = "\(Self.words(trouble.outcome))\(reason) (worker \(trouble.worker ?? "gone")\(took))"
    }

    init(_ dead: JobState) {
        (at, lane) = (dead.moment, dead.lane)
        text = "job \(dead.id) is dead: \(dead.reason ?? "it gave no reason")"
    }

    private static func words(_ outcome: CallOutcome) -> String {
        switch outcome {
        case .retry: "a call failed and is retried"
        case .failed: "a call failed for good"
        case .rate: "the provider refused a call as too fast"
        case .quota: "the provider refused a call"
        default: "a call was lost with its worker"
        }
    }
}
