import Foundation
import Operations
import Postgres
import Queue

/// From just before an enqueue, its commit included, to the start of the call, on a cluster that has nothing to do.
enum WakeUpBenchmark {
    static func run(_ options: Options) async throws {
        let jobs = try options.integer("jobs", 200)
        let begun = Locked<[Int: Int]>([:])
        try await Scratch.with("wake") { scratch in
            try await scratch.openLane(batch: 1)
            try await scratch.resumeLane()
            let crew = try await BenchCrew.start(1, callsAtOnce: 4, in: scratch, reporting: true) { line in
                let parts = line.split(separator: " ").compactMap { Int($0) }
                begun.withLock { $0[parts[0]] = parts[1] }
            }
            var sent: [Int: (asked: Int, committed: Int)] = [:]
            for subject in 1...jobs {
                let asked = monotonicNanoseconds()
                _ = try await scratch.database.run { database in
                    try JobQueue().enqueue([subject], in: Scratch.lane, on: database).count
                }
                sent[subject] = (asked, monotonicNanoseconds())
                try await Task.sleep(for: .milliseconds(Double.random(in: 40...60)))
            }
            _ = try await scratch.wait(until: jobs)
            await crew.stop()
            let starts = begun.withLock { $0 }
            show("from the enqueue's sending, ms", sent.map { Double((starts[$0] ?? 0) - $1.asked) / 1e6 })
            show("from its acknowledgement, ms", sent.map { Double((starts[$0] ?? 0) - $1.committed) / 1e6 })
        }
    }

    private static func show(_ name: String, _ delays: [Double]) {
        print(
            title(name), "median", ratio(median(delays)), "p99", ratio(percentile(0.99, of: delays)),
            "most", ratio(delays.max() ?? 0))
    }
}
