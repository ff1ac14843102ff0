import Foundation
import Postgres
import Queue

/// Compares a claim of 100 jobs from a deep lane with one from a shallow lane, alternating. The deep one should not
/// cost more.
///
/// Measures once after the insert, when the planner has no statistics, and once after vacuum.
enum DepthBenchmark {
    static func run(_ options: Options) async throws {
        let deep = try options.integer("jobs", 5_000_000)
        let claims = try options.integer("claims", 300)
        try await Scratch.with("shallow") { shallow in
            try await Scratch.with("deep") { deepest in
                try await prepare(shallow, 10_000)
                try await prepare(deepest, deep)
                print(title("a claim of 100, median of \(claims), ms"), "10,000 waiting   \(deep) waiting   ratio")
                try await compare("never analysed", shallow, deepest, claims)
                for scratch in [shallow, deepest] { try await scratch.run(script: "VACUUM ANALYZE jobs") }
                try await compare("vacuumed and analysed", shallow, deepest, claims)
            }
        }
    }

    private static func prepare(_ scratch: Scratch, _ jobs: Int) async throws {
        try await scratch.openLane(batch: 1)
        try await scratch.resumeLane()
        try await scratch.run(script: "ALTER TABLE jobs SET (autovacuum_enabled = off)")
        try await scratch.enlist(workers: 1)
        try await scratch.insert(jobs: jobs, batch: 1)
        try await scratch.run(script: "CHECKPOINT")
    }

    private static func compare(_ name: String, _ shallow: Scratch, _ deep: Scratch, _ claims: Int) async throws {
        var times: (shallow: [Double], deep: [Double]) = ([], [])
        for _ in 0..<claims {
            times.shallow.append(try await claim(in: shallow))
            times.deep.append(try await claim(in: deep))
        }
        let (little, much) = (median(times.shallow), median(times.deep))
        print(title(name), ratio(little), "         ", ratio(much), "         ", ratio(much / little))
        fflush(nil)
    }

    /// Milliseconds of one claim, which is rolled back.
    private static func claim(in scratch: Scratch) async throws -> Double {
        try await scratch.database.run { database in
            try database.query("BEGIN")
            defer { _ = try? database.query("ROLLBACK") }
            let start = ContinuousClock.now
            let claim = try JobQueue().claim(100, from: Scratch.lane, for: 1, on: database)
            precondition(claim.jobs.count == 100)
            return seconds(since: start) * 1_000
        }
    }
}
