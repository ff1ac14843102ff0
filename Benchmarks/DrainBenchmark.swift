import Foundation

/// How fast worker processes empty a lane of jobs whose calls take no time, alternating with other programs.
///
/// Everything is enabled as in a cluster: durable commits, leases, the call log, the counters.
enum DrainBenchmark {
    static func run(_ options: Options) async throws {
        let jobs = try options.integer("jobs", 500_000)
        let rounds = try options.integer("rounds", 2)
        let callsAtOnce = try options.integer("calls", 400)
        var drains: [any Drain] = [
            OurDrain(jobs: jobs, callsAtOnce: callsAtOnce),
            OurDrain(jobs: jobs, callsAtOnce: callsAtOnce, isMeasured: false),
            PgbenchDrain(jobs: jobs, batch: try options.integer("pgbench-batch", 100)),
        ]
        if let file = options.text("pgmq") { drains.append(PGMQDrain(jobs: jobs, file: file)) }
        if let python = options.text("pgqueuer") { drains.append(PgqueuerDrain(jobs: jobs / 5, python: python)) }

        print(title("jobs of one subject a second"), drains.map { title($0.name, width: 24) }.joined())
        for processes in try options.integers("processes", [1, 2, 4]) {
            var rates = drains.map { _ in [Double]() }
            var ours: [[Drained]] = [[], []]
            for _ in 0..<rounds {
                for (number, drain) in drains.enumerated() {
                    try await Scratch.with("drain") { scratch in
                        let drained = try await drain.drain(by: processes, in: scratch)
                        rates[number].append(drained.rate)
                        if ours.indices.contains(number) { ours[number].append(drained) }
                    }
                }
            }
            let cells = rates.map {
                "\(Int(median($0)))".leftAligned(9) + "×" + ratio(median(rates[0]) / median($0)) + "       "
            }
            print(title("\(processes) processes"), cells.joined())
            for (drain, drained) in zip(drains, ours) {
                let client = median(drained.compactMap { $0.microseconds($0.clientTime) })
                let server = median(drained.compactMap { $0.microseconds($0.serverTime) })
                print(
                    "    \(drain.name), CPU a job: \(ratio(client)) µs in the worker, \(ratio(server)) µs in the server"
                )
            }
            fflush(nil)
        }
        try await Scratch.with("drain") { scratch in
            let drain = OurDrain(jobs: jobs / 10, batch: 500, callsAtOnce: callsAtOnce)
            print(
                title("batch 500, 2 processes, subjects/s"), Int(try await drain.drain(by: 2, in: scratch).rate * 500))
        }
    }
}

extension String {
    fileprivate func leftAligned(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}
