package import Queue

extension Throughput.Count: Shaped {
    package static let shape = Shape<Throughput.Count>("CallCount", "The calls of a span, by outcome.") {
        Member("seconds", "The length. `1h` and `1d` begin with a full minute.", example: 10) { $0.seconds }.bounds(0)
        Member("calls", "All calls that the provider received.", example: 10) { $0.counts.calls }
        Member("answered", example: 9) { $0.counts.answered }
        Member("retried", "Failed, and the job waits for a retry.", example: 0) { $0.counts.retried }
        Member("limited", "Refused by the provider: too fast, or over a quota.", example: 0) { $0.counts.limited }
        Member("failed", "Failed for good.", example: 0) { $0.counts.failed }
        Member("lost", "The worker vanished.", example: 0) { $0.counts.lost }
        Member("under_way", "Sent and not ended.", example: 1) { $0.counts.underWay }
        Member("subjects", "Addresses, coordinates or trackers that were done.", example: 9) { $0.counts.subjects }
        Member("calls_per_second", example: 1) { $0.callsPerSecond }.bounds(0)
        Member("subjects_per_second", example: 0.9) { $0.subjectsPerSecond }.bounds(0)
    }
}

/// Calls, and what the limits permit in their time.
package struct PermittedCount: Shaped {
    let count: Throughput.Count
    let permitted: Double?

    package static let shape = Shape<PermittedCount>(
        "PermittedCallCount", "The calls of a span, and the permitted ones."
    ) {
        Including { $0.count }
        Member("permitted", "By the present limits; null without limits. A burst may exceed it.", example: 10) {
            $0.permitted
        }.bounds(0)
    }
}

package struct OverviewLane: Shaped {
    let lane: LaneState
    let throughput: [ThroughputSpan: PermittedCount]

    package static let shape = Shape<OverviewLane>("OverviewLane", "A lane with its throughput.") {
        Including { $0.lane }
        Member("throughput") { ByCase($0.throughput) }
    }
}

package struct OverviewWorker: Shaped {
    let worker: WorkerState
    let throughput: [ThroughputSpan: Throughput.Count]

    package static let shape = Shape<OverviewWorker>("OverviewWorker", "A worker with its throughput.") {
        Including { $0.worker }
        Member("throughput") { ByCase($0.throughput) }
    }
}

/// The cluster at one moment, without data of an account.
package struct Overview: Shaped, Sendable {
    package let lanes: [LaneState]
    package let throughput: Throughput
    package let workers: [WorkerState]
    package let saved: CallsSaved

    /// `answered` is the number of addresses that have an answer, of all accounts.
    package init(_ lanes: [LaneState], _ throughput: Throughput, workers: [WorkerState], answered: Int) {
        (self.lanes, self.throughput, self.workers) = (lanes, throughput, workers)
        saved = CallsSaved(answered: answered, lanes: lanes)
    }

    private var countedLanes: [OverviewLane] {
        lanes.map { lane in
            guard let counted = throughput.lanes.first(where: { $0.name == lane.lane }) else {
                return OverviewLane(lane: lane, throughput: [:])
            }
            let spans = counted.spans.map { ($0, PermittedCount(count: $1, permitted: counted.permitted($0))) }
            return OverviewLane(lane: lane, throughput: Dictionary(spans) { first, _ in first })
        }
    }

    private var countedWorkers: [OverviewWorker] {
        workers.map { worker in
            let counted = throughput.workers.first { $0.id == worker.id }
            return OverviewWorker(worker: worker, throughput: counted?.spans ?? [:])
        }
    }

    package static let shape = Shape<Overview>("Overview", "The cluster at one moment, without data of an account.") {
        Member("as_of", "The database's clock, in seconds since 1970.", example: .seconds(1_795_169_700)) {
            $0.throughput.asOf
        }
        Member("answered_addresses", "Addresses that have an answer now, of all accounts.", example: 12) {
            $0.saved.answered
        }
        Member("called_addresses", "Calls; one with many addresses counts once for each.", example: 10) {
            $0.saved.called
        }
        Member("calls_saved", "Because addresses are shared or known: the difference.", example: 2) { $0.saved.saved }
        Member("lanes") { $0.countedLanes }
        Member("workers") { $0.countedWorkers }
    }
}

extension ThroughputHistory: Shaped {
    package struct CountedLane: Shaped {
        let name: String
        let limits: [RateLimit]
        let steps: [PermittedCount]

        package static let shape = Shape<CountedLane>("HistoryLane", "The calls of a lane, step by step.") {
            Member("name", example: "nominatim") { $0.name }
            Member("limits") { $0.limits }
            Member("steps") { $0.steps }
        }
    }

    private var countedLanes: [CountedLane] {
        lanes.map { lane in
            let steps = lane.steps.indices.map { step in
                let seconds = seconds(of: step, in: lane)
                return PermittedCount(
                    count: Throughput.Count(lane.steps[step], seconds: seconds),
                    permitted: lane.limits.permitted(in: seconds))
            }
            return CountedLane(name: lane.name, limits: lane.limits.map(\.limit), steps: steps)
        }
    }

    package static let shape = Shape<ThroughputHistory>("ThroughputHistory", "The calls of a time, step by step.") {
        Member("span") { $0.span }
        Member("start", "When the first step begins, in seconds since 1970.", example: .seconds(1_795_166_160)) {
            $0.start
        }
        Member("step_seconds", "The last step is not over yet.", example: 60) { $0.span.step }
        Member("lanes") { $0.countedLanes }
    }
}

extension HistorySpan: JSONRepresentable {}
