import Contacts
import Geocoding
import Processes
import Questions
import Queue
import Shapes
import Terminal

/// The cluster at one moment.
struct Stats: Sendable {
    let contacts: ContactCounts
    let addresses: AddressProgress
    /// Nil if distinct addresses were not counted.
    let geocodes: GeocodeCounts?
    let overview: Overview

    func write(to screen: Screen) {
        let distinct =
            geocodes.map { ", of which \(Readable.count($0.total)) \($0.total == 1 ? "is" : "are") distinct" } ?? ""
        let saved = overview.saved
        let calls =
            "\(Readable.count(saved.answered)) answered, \(Readable.count(saved.called)) called for, "
            + "\(Words.count(saved.saved, "call")) saved"
        screen.writeLine(
            "\(Words.count(contacts.friends, "friend")) with \(Words.count(contacts.addresses, "address", "addresses"))"
                + "\(distinct); \(calls)")
        screen.writeLine()
        writeAddresses(to: screen)
        screen.writeLine()
        writeLanes(to: screen)
        screen.writeLine()
        writeThroughput(to: screen)
        screen.writeLine()
        writeWorkers(to: screen)
    }

    private func writeAddresses(to screen: Screen) {
        var columns: [TableColumn<GeocodeStatus>] = [
            .left("ANSWER") { $0.words }, .right("ADDRESSES") { Readable.count(addresses.byStatus[$0, default: 0]) },
            .right("SHARE") { Readable.percent(addresses.byStatus[$0, default: 0], of: addresses.total) },
        ]
        if let geocodes {
            columns.append(.right("DISTINCT") { Readable.count(geocodes.byStatus[$0, default: 0]) })
        }
        Table(columns, of: GeocodeStatus.allCases).write(to: screen)
    }

    private static let laneColumns: [TableColumn<LaneState>] = [
        .left("LANE") { $0.lane }, .left("STATE", style: conditionStyle) { $0.condition.word },
        .right("READY") { Readable.count($0.ready) }, .right("LATER") { Readable.count($0.later) },
        .right("HELD") { Readable.count($0.held) }, .right("DEAD") { Readable.count($0.dead) },
        .right("OLDEST") { $0.oldestWaited.map(Readable.duration) ?? "-" }, .left("DONE IN") { $0.estimate.text },
    ]

    private func writeLanes(to screen: Screen) {
        Table(Self.laneColumns, of: overview.lanes).write(to: screen)
        for lane in overview.lanes {
            guard case .recent(_, let rate) = lane.estimate else { continue }
            screen.writeLine(
                "* \(lane.lane) has no limits: at the \(Readable.rate(rate)) of the last full minutes.")
        }
    }

    private static let callColumns: [TableColumn<Throughput.Lane>] = [
        .left("CALLS") { $0.name },
        .left("LIMITS") { $0.limits.isEmpty ? "none" : $0.limits.map(\.limit.text).joined(separator: ", ") },
        .right("10 S") { $0.spans[.tenSeconds].rate }, .right("MINUTE") { $0.spans[.minute].rate },
        .right("HOUR") { $0.spans[.hour].rate }, .right("DAY") { $0.spans[.day].rate }, .right("USED") { $0.usedText },
        .right("UNDER WAY") { Readable.count($0.spans[.day]?.counts.underWay ?? 0) },
    ]

    private static let outcomeColumns: [TableColumn<(lane: String, calls: CallCounts)>] = [
        .left("LAST HOUR") { $0.lane }, .right("CALLS") { Readable.count($0.calls.calls) },
        .right("ANSWERED") { Readable.count($0.calls.answered) },
        .right("RETRIED") { Readable.count($0.calls.retried) },
        .right("LIMITED") { Readable.count($0.calls.limited) }, .right("FAILED") { Readable.count($0.calls.failed) },
        .right("LOST") { Readable.count($0.calls.lost) }, .right("ADDRESSES") { Readable.count($0.calls.subjects) },
    ]

    private func writeThroughput(to screen: Screen) {
        let lanes = overview.throughput.lanes
        Table(Self.callColumns, of: lanes).write(to: screen)
        let outcomes = lanes.compactMap { lane in lane.spans[.hour].map { (lane: lane.name, calls: $0.counts) } }
            .filter { $0.calls.calls > 0 }
        if outcomes.isEmpty { return }
        screen.writeLine()
        Table(Self.outcomeColumns, of: outcomes).write(to: screen)
    }

    private typealias Crew = (worker: WorkerState, spans: [ThroughputSpan: Throughput.Count])

    private static let workerColumns: [TableColumn<Crew>] = [
        .left("WORKER") { $0.worker.name }, .left("HOST") { $0.worker.host }, .right("PROCESS") { "\($0.worker.pid)" },
        .right("JOBS") { Readable.count($0.worker.held) }, .right("10 S") { $0.spans[.tenSeconds].rate },
        .right("MINUTE") { $0.spans[.minute].rate }, .right("HOUR") { $0.spans[.hour].rate },
        .right("MEMORY") { $0.worker.memory.map(Readable.bytes) ?? "-" },
        .left("HEARD OF") { "\(Readable.duration($0.worker.silence)) ago" },
    ]

    private func writeWorkers(to screen: Screen) {
        if overview.workers.isEmpty {
            return screen.writeLine("No worker is running. Start one with 'waypost worker'.")
        }
        let crew = overview.workers.map { worker in
            (worker: worker, spans: overview.throughput.workers.first { $0.id == worker.id }?.spans ?? [:])
        }
        Table(Self.workerColumns, of: crew).write(to: screen)
    }
}

extension Throughput.Count? {
    fileprivate var rate: String { self.map { Readable.rate($0.callsPerSecond) } ?? "-" }
}

extension Stats: Shaped {
    static let shape = Shape<Stats>("Stats", "The cluster with its addresses, of all accounts.") {
        Member("friends", example: 5) { $0.contacts.friends }
        Member("addresses", example: 15) { $0.contacts.addresses }
        Member("unhashed_addresses", "Written by another program, and not yet hashed.", example: 0) {
            $0.contacts.unhashed
        }
        Member("addresses_by_status") { ByCase($0.addresses.byStatus) }
        Member("distinct_addresses", "Null with `--watch`.", example: 12) { $0.geocodes?.total }
        Member("by_status", "The distinct addresses.") { stats in stats.geocodes.map { ByCase($0.byStatus) } }
        Member("by_precision", "The distinct addresses.") { stats in stats.geocodes.map { ByCase($0.byPrecision) } }
        Including { $0.overview }
    }
}

extension Throughput.Lane {
    /// The part of the permitted calls that was used in the last 60 seconds.
    var usedShare: Double? {
        guard let count = spans[.minute], let permitted = permitted(.minute) else { return nil }
        return Double(count.counts.calls) / permitted
    }

    var usedText: String { usedShare.map(percent) ?? "-" }
}

/// A share for people. Unlike a part of a whole, it may exceed 100%.
func percent(_ share: Double) -> String { "\(Int(clamping: share * 100))%" }

extension GeocodeStatus {
    var words: String {
        switch self {
        case .waiting: "waiting"
        case .located: "located"
        case .needsReview: "needs review"
        case .notFound: "not found"
        case .failed: "failed"
        case .forgotten: "forgotten"
        }
    }
}

struct StatsCommand: Command {
    static let name = "stats"
    static let summary = "Show addresses, lanes, throughput, backlog and workers of the cluster."
    static let discussion = """
        A call counts at the moment at which it left, also while it is under way. USED is the share of the permitted calls that \
        the last 60 seconds used; a burst after a rest can bring it above 100%.

          waypost stats --watch
          waypost stats --history 1d
        """

    /// Distinct addresses are counted only if there are at most this many addresses.
    private static let mostToCount = 200_000

    let look = WatchOptions()
    @Option("--history", "Show the calls of this time instead, step by step.") var history: HistorySpan?

    func run() async throws {
        if let history {
            return try await look.show(
                { app, db in try app.queue.history(history, on: db) }, as: { $0 }
            ) {
                $0.write(to: $1)
            }
        }
        try await look.show(
            { [isWatched = look.watch] app, db in
                let (lanes, throughput) = try app.queue.overview(on: db)
                let addresses = try app.contacts.talliedProgress(on: db)
                return Stats(
                    contacts: try app.contacts.counts(on: db), addresses: addresses,
                    // Counting distinct addresses reads each of them: a minute for five million.
                    geocodes: isWatched || addresses.total > Self.mostToCount
                        ? nil : try app.geocodes.counts(ofAddresses: true, on: db),
                    overview: Overview(
                        lanes, throughput, workers: try app.registry.workers(on: db), answered: addresses.answered))
            }, as: { $0 }
        ) { $0.write(to: $1) }
    }
}

extension HistorySpan: OptionValue {
    static var placeholder: String { "TIME" }
}
