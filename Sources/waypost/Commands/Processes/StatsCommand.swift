import Contacts
import Geocodes
import Geocoding
import Operations
import Postgres
import Queue
import Sentences
import Terminal

struct StatsCommand: Command {
    static let name = "stats"
    static let summary = "Show addresses, lanes, backlog and workers of the cluster."

    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let app = try await Application.forCommand()
        // One transaction that sees one moment, so that the numbers add up.
        let stats = try await app.database.transaction { [app] db in
            try db.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return Stats(
                contacts: try app.contacts.counts(on: db), geocodes: try app.geocodes.counts(on: db),
                lanes: try app.queue.lanes(on: db), workers: try app.registry.workers(on: db))
        }
        await app.database.close()
        if json { return try Screen.output.writeJSON(StatsJSON(stats)) }
        stats.write(to: .output)
    }
}

struct Stats: Sendable {
    let contacts: ContactCounts
    let geocodes: GeocodeCounts
    let lanes: [LaneState]
    let workers: [WorkerState]

    func write(to screen: Screen) {
        screen.writeLine(
            "\(Readable.count(contacts.friends)) friends with \(Readable.count(contacts.addresses)) addresses, "
                + "of which \(Readable.count(geocodes.total)) are distinct")
        screen.writeLine()
        var answers = Table(.left("ADDRESSES"), .right("DISTINCT"), .right("SHARE"))
        for status in GeocodeStatus.allCases {
            let count = geocodes.byStatus[status, default: 0]
            answers.add(status.words, Readable.count(count), Readable.percent(count, of: geocodes.total))
        }
        answers.write(to: screen)
        screen.writeLine()
        writeLanes(to: screen)
        screen.writeLine()
        if workers.isEmpty { return screen.writeLine("No worker is running. Start one with 'waypost worker'.") }
        var crew = Table(.left("WORKER"), .left("HOST"), .right("PROCESS"), .right("JOBS"), .right("HEARD OF"))
        for worker in workers {
            crew.add(
                worker.name, worker.host, "\(worker.pid)", Readable.count(worker.held),
                "\(Readable.duration(worker.silence)) ago")
        }
        crew.write(to: screen)
    }

    private func writeLanes(to screen: Screen) {
        var jobs = Table(
            .left("LANE"), .left("STATE", style: conditionStyle), .right("READY"), .right("LATER"), .right("HELD"),
            .right("DEAD"), .right("CALLS"), .right("RETRIES"))
        var rates = Table(.left("LANE"), .left("LIMITS"), .right("LAST MINUTE"), .right("DONE IN"))
        for lane in lanes {
            jobs.add(
                lane.lane, lane.condition.word, Readable.count(lane.ready), Readable.count(lane.later),
                Readable.count(lane.held), Readable.count(lane.dead), Readable.count(lane.calls),
                Readable.count(lane.retries))
            rates.add(lane.lane, lane.limitsText, Words.count(lane.callsLastMinute, "call"), lane.estimate.text)
        }
        jobs.write(to: screen)
        screen.writeLine()
        rates.write(to: screen)
        for lane in lanes {
            guard case .recent(_, let rate) = lane.estimate else { continue }
            screen.writeLine(
                "* \(lane.lane) has no limits: at the \(Readable.rate(rate)) of the last full minutes.")
        }
    }
}

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

/// The form of `stats --json`.
private struct StatsJSON: Encodable {
    struct Lane: Encodable {
        let lane: String
        let state: String
        let limits: [String]
        let batch, ready, later, held, dead, calls, retries, callsLastMinute: Int

        /// Null if it can't be estimated; `doneBasis` says why.
        let doneInSeconds: Double?
        let doneBasis: String
    }

    let friends, addresses, unhashedAddresses, distinctAddresses: Int
    let byStatus: [String: Int]
    let byPrecision: [String: Int]
    let lanes: [Lane]
    let workers: [WorkerJSON]

    init(_ stats: Stats) {
        friends = stats.contacts.friends
        addresses = stats.contacts.addresses
        unhashedAddresses = stats.contacts.unhashed
        distinctAddresses = stats.geocodes.total
        byStatus = Dictionary(
            uniqueKeysWithValues: GeocodeStatus.allCases.map { ($0.rawValue, stats.geocodes.byStatus[$0, default: 0]) })
        byPrecision = Dictionary(uniqueKeysWithValues: stats.geocodes.byPrecision.map { ($0.key.rawValue, $0.value) })
        lanes = stats.lanes.map {
            Lane(
                lane: $0.lane, state: $0.condition.word, limits: $0.limits.map(\.limit.text), batch: $0.batch,
                ready: $0.ready, later: $0.later, held: $0.held, dead: $0.dead, calls: $0.calls, retries: $0.retries,
                callsLastMinute: $0.callsLastMinute, doneInSeconds: $0.estimate.seconds, doneBasis: $0.estimate.basis)
        }
        workers = stats.workers.map(WorkerJSON.init)
    }
}
