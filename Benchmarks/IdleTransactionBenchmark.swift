import Foundation
import Postgres
import Processes

/// The cost of a forgotten transaction, which keeps vacuum from removing dead rows: a drain before it was opened, and
/// one after some minutes of work under it.
enum IdleTransactionBenchmark {
    static func run(_ options: Options) async throws {
        let minutes = try options.integer("minutes", 1)
        let jobs = try options.integer("jobs", 100_000)
        let load = try options.integer("rate", 3_000)
        try await Scratch.with("idle") { scratch in
            try await scratch.openLane(batch: 1)
            try await scratch.resumeLane()
            let crew = try await BenchCrew.start(2, callsAtOnce: 400, in: scratch)
            _ = try await drain(jobs, in: scratch)
            let before = try await drain(jobs, in: scratch)

            let idle = try await forget(in: scratch)
            try await SteadyLoad(scratch: scratch, jobsPerSecond: load).run(for: .seconds(60 * minutes))
            let dead = try await scratch.number(
                "SELECT n_dead_tup AS number FROM pg_stat_user_tables WHERE relname = 'jobs'")
            let under = try await drain(jobs, in: scratch)
            idle.closeLifeline()
            _ = await idle.exit()
            await crew.stop()
            print(title("before, jobs/s"), column(before))
            print(title("after \(minutes) min under an idle transaction"), column(under), "  ", ratio(under / before))
            print(title("dead rows in jobs by then"), column(Double(dead)))
        }
    }

    /// Opens a transaction with a transaction id and a snapshot, the worst case. It lasts as long as its lifeline.
    private static func forget(in scratch: Scratch) async throws -> ChildProcess {
        let statements = ["BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT txid_current()", "\\! cat"]
        let idle = try ChildProcess(
            "psql", ["-qX", scratch.url] + statements.flatMap { ["-c", $0] }, input: .lifeline, output: .discarded)
        let open: SQL = """
            SELECT count(*) AS number FROM pg_stat_activity
            WHERE state = 'idle in transaction' AND backend_xid IS NOT NULL AND application_name = 'psql'
            """
        while try await scratch.number(open) == 0 { try await Task.sleep(for: .milliseconds(50)) }
        return idle
    }

    /// Jobs per second, from a full queue to an empty one. Workers take jobs as soon as they are committed.
    private static func drain(_ jobs: Int, in scratch: Scratch) async throws -> Double {
        let done = try await scratch.settled()
        try await scratch.run(
            script: "UPDATE lanes SET paused_at = now() WHERE name = '\(Scratch.lane)'")
        try await scratch.insert(jobs: jobs, batch: 1)
        try await scratch.run(script: "CHECKPOINT")
        try await scratch.resumeLane()
        return try await Double(jobs) / (scratch.wait(until: done + jobs) / .seconds(1))
    }
}
