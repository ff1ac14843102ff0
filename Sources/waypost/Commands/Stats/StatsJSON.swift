import Contacts
import Geocoding
import Questions
import Queue

/// The form of `stats --json`.
struct StatsJSON: Encodable {
    struct Lane: Encodable {
        let lane: String
        let state: String
        let limits: [String]
        let batch, ready, later, held, dead, calls, retries, callsLastMinute: Int

        /// How long the oldest due job has waited, in seconds; null if none is due.
        let oldestWaitSeconds: Double?

        /// Null if it can't be estimated; `doneBasis` contains the reason.
        let doneInSeconds: Double?
        let doneBasis: String

        /// By span: `10s`, `1m`, `1h`, `1d`.
        let throughput: [String: CountJSON]
    }

    struct Worker: Encodable {
        let id: Int
        let name: String
        let throughput: [String: CountJSON]
    }

    let friends, addresses, unhashedAddresses: Int
    /// Null with `--watch`.
    let distinctAddresses: Int?
    let addressesByStatus: [String: Int]
    /// Addresses with an answer, addresses in calls, and the number of saved calls: ``CallsSaved``.
    let answeredAddresses, calledAddresses, callsSaved: Int
    let byStatus, byPrecision: [String: Int]?
    let lanes: [Lane]
    let workers: [WorkerJSON]
    let workerThroughput: [Worker]

    init(_ stats: Stats) {
        friends = stats.contacts.friends
        addresses = stats.contacts.addresses
        unhashedAddresses = stats.contacts.unhashed
        distinctAddresses = stats.geocodes?.total
        addressesByStatus = Dictionary(
            uniqueKeysWithValues: GeocodeStatus.allCases.map { ($0.rawValue, stats.addresses.byStatus[$0, default: 0]) }
        )
        (answeredAddresses, calledAddresses, callsSaved) = (
            stats.saved.answered, stats.saved.called, stats.saved.saved
        )
        byStatus = stats.geocodes.map { geocodes in
            Dictionary(
                uniqueKeysWithValues: GeocodeStatus.allCases.map { ($0.rawValue, geocodes.byStatus[$0, default: 0]) })
        }
        byPrecision = stats.geocodes.map { geocodes in
            Dictionary(uniqueKeysWithValues: geocodes.byPrecision.map { ($0.key.rawValue, $0.value) })
        }
        lanes = stats.lanes.map { lane in
            let throughput = stats.throughput.lanes.first { $0.name == lane.lane }
            return Lane(
                lane: lane.lane, state: lane.condition.word, limits: lane.limits.map(\.limit.text), batch: lane.batch,
                ready: lane.ready, later: lane.later, held: lane.held, dead: lane.dead, calls: lane.calls,
                retries: lane.retries, callsLastMinute: lane.callsLastMinute,
                oldestWaitSeconds: lane.oldestWaited.map { $0 / .seconds(1) }, doneInSeconds: lane.estimate.seconds,
                doneBasis: lane.estimate.basis,
                throughput: throughput.map { lane in
                    byName(lane.spans) { CountJSON($1, permitted: lane.permitted($0)) }
                } ?? [:])
        }
        workers = stats.workers.map(WorkerJSON.init)
        workerThroughput = stats.workers.map { worker in
            let spans = stats.throughput.workers.first { $0.id == worker.id }?.spans ?? [:]
            return Worker(
                id: worker.id, name: worker.name,
                throughput: byName(spans) { CountJSON($1, permitted: nil) })
        }
    }
}

private func byName(
    _ spans: [ThroughputSpan: Throughput.Count], _ form: (ThroughputSpan, Throughput.Count) -> CountJSON
) -> [String: CountJSON] {
    Dictionary(uniqueKeysWithValues: spans.map { ($0.key.rawValue, form($0.key, $0.value)) })
}

/// Calls by outcome, in a span of `seconds`.
struct CountJSON: Encodable {
    let seconds: Double
    let calls, answered, retried, limited, failed, lost, underWay, addresses: Int
    let callsPerSecond, addressesPerSecond: Double
    /// How many calls the present limits permit in this time; null without limits.
    let permitted: Double?

    init(_ count: Throughput.Count, permitted: Double?) {
        self.init(count.counts, seconds: count.seconds, permitted: permitted)
    }

    init(_ counts: CallCounts, seconds: Double, permitted: Double?) {
        self.seconds = seconds
        (calls, answered, retried, limited) = (counts.calls, counts.answered, counts.retried, counts.limited)
        (failed, lost, underWay, addresses) = (counts.failed, counts.lost, counts.underWay, counts.subjects)
        callsPerSecond = Double(counts.calls) / seconds
        addressesPerSecond = Double(counts.subjects) / seconds
        self.permitted = permitted
    }
}

/// The form of `stats --history --json`.
struct ThroughputHistoryJSON: Encodable {
    struct Lane: Encodable {
        let lane: String
        let limits: [String]
        let steps: [CountJSON]
    }

    /// The start of the first step, in seconds since 1970, and the length of each step. The last step is not over yet.
    let start: Double
    let stepSeconds: Int
    let lanes: [Lane]

    init(_ history: ThroughputHistory) {
        start = history.start / .seconds(1)
        stepSeconds = history.span.step
        lanes = history.lanes.map { lane in
            Lane(
                lane: lane.name, limits: lane.limits.map(\.limit.text),
                steps: lane.steps.indices.map { step in
                    let seconds = history.seconds(of: step, in: lane)
                    return CountJSON(
                        lane.steps[step], seconds: seconds, permitted: lane.limits.permitted(in: seconds))
                })
        }
    }
}
