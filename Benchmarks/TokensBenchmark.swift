import Foundation
import Postgres
import Queue

/// Tokens per second that a limited lane can give to 32 claimers. The claimers queue: each one waits until the previous
/// one has committed.
enum TokensBenchmark {
    private static let claimers = 32
    private static let length = 4

    static func run(_ options: Options) async throws {
        let jobs = try options.integer("jobs", 1_000_000)
        let room = try options.integer("room", 100)
        print(title("32 claimers of \(room), tokens/s"), "     ours     pgbench")
        for buckets in [1, 2] {
            try await Scratch.with("tokens") { scratch in
                let ours = try await granted(buckets, jobs, in: scratch) { try await claim(room, in: scratch) }
                let theirs = try await granted(buckets, jobs, in: scratch) {
                    _ = try await Pgbench.rate(
                        """
                        \\set worker :client_id + 1
                        SELECT count(*) FROM claim_jobs('\(Scratch.lane)', :worker, \(room));

                        """, callers: claimers, threads: 2, seconds: length, url: scratch.url)
                }
                print(title("\(buckets) buckets"), column(ours), column(theirs))
            }
        }
    }

    private static func granted(
        _ buckets: Int, _ jobs: Int, in scratch: Scratch, _ claimAll: () async throws -> Void
    ) async throws -> Double {
        try await scratch.openLane(batch: 1)
        try await scratch.limit([("1 second", 1_000_000), ("1 minute", 60_000_000)].prefix(buckets).map { $0 })
        try await scratch.resumeLane()
        try await scratch.enlist(workers: claimers)
        try await scratch.fill(jobs: jobs, batch: 1)
        let start = ContinuousClock.now
        try await claimAll()
        let took = seconds(since: start)
        return Double(try await scratch.number("SELECT count(*) AS number FROM jobs WHERE worker IS NOT NULL")) / took
    }

    private static func claim(_ room: Int, in scratch: Scratch) async throws {
        let deadline = ContinuousClock.now + .seconds(length)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 1...claimers {
                group.addTask {
                    try await scratch.database.run { database in
                        while ContinuousClock.now < deadline {
                            _ = try JobQueue().claim(room, from: Scratch.lane, for: worker, on: database)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
