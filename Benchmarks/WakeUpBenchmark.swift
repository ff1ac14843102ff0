import Foundation
import Operations
import Postgres
import Queue

/// From just before an enqueue, its commit included, to the start of the call in another process: at several rates, and
/// beside an import whose transaction goes on and on.
enum WakeUpBenchmark {
    /// Each session enqueues a job about every `gap`.
    private struct Load {
        let name: String
        var sessions = 1
        let gap: Duration
        /// Between these shares of the gap.
        var spread = 0.5...1.5
        let jobs: Int
    }

    static func run(_ options: Options) async throws {
        let jobs = try options.integer("jobs", 400)
        let loads = [
            Load(name: "1 a second", gap: .seconds(1), jobs: min(jobs, 30)),
            Load(name: "10 a second", gap: .milliseconds(100), jobs: min(jobs, 200)),
            Load(name: "every 10 to 30 ms", gap: .milliseconds(20), jobs: jobs),
            Load(name: "every 2 to 12 ms", gap: .milliseconds(7), spread: 2.0 / 7...12.0 / 7, jobs: jobs),
            Load(name: "100 a second", gap: .milliseconds(10), jobs: jobs),
            Load(name: "2,000 a second, 16 sessions", sessions: 16, gap: .milliseconds(8), jobs: jobs * 10),
        ]
        try await Scratch.with("wake") { scratch in
            try await scratch.openLane(batch: 1)
            try await scratch.resumeLane()
            let begun = Locked<[Int: Int]>([:])
            let crew = try await BenchCrew.start(1, callsAtOnce: 16, in: scratch, reporting: true) { line in
                let parts = line.split(separator: " ").compactMap { Int($0) }
                begun.withLock { $0[parts[0]] = parts[1] }
            }
            var last = 0
            for isBesideImport in [false, true] {
                let importer = isBesideImport ? try await beginImport(in: scratch) : nil
                print(
                    title(isBesideImport ? "beside a long import, ms" : "from the enqueue's sending, ms"),
                    "median p99    most")
                for load in loads {
                    let done = try await scratch.finished
                    let sent = try await send(load, after: last, in: scratch)
                    last += load.jobs
                    _ = try await scratch.wait(until: done + load.jobs)
                    let starts = begun.withLock { $0 }
                    show(load.name, sent.map { Double((starts[$0.key] ?? 0) - $0.value) / 1e6 })
                }
                importer?.closeLifeline()
                _ = await importer?.exit()
            }
            await crew.stop()
        }
    }

    /// When each subject's enqueue was sent.
    private static func send(_ load: Load, after last: Int, in scratch: Scratch) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for session in 0..<load.sessions {
                group.addTask {
                    var sent: [Int: Int] = [:]
                    var next = ContinuousClock.now
                    for subject in stride(from: last + 1 + session, through: last + load.jobs, by: load.sessions) {
                        next += load.gap * Double.random(in: load.spread)
                        try await Task.sleep(until: next, tolerance: .zero)
                        sent[subject] = monotonicNanoseconds()
                        _ = try await scratch.database.run { database in
                            try JobQueue().enqueue([subject], in: Scratch.lane, on: database).count
                        }
                    }
                    return sent
                }
            }
            return try await group.reduce(into: [:]) { all, sent in all.merge(sent) { first, _ in first } }
        }
    }

    /// A transaction that has enqueued and goes on, until its lifeline breaks and it is rolled back.
    private static func beginImport(in scratch: Scratch) async throws -> ChildProcess {
        let statements = [
            "BEGIN", "SELECT count(*) FROM queue_jobs('\(Scratch.lane)', ARRAY[1000000001, 1000000002])", "\\! cat",
        ]
        let importer = try ChildProcess(
            "psql", ["-qX", scratch.url] + statements.flatMap { ["-c", $0] }, input: .lifeline, output: .discarded)
        let open: SQL = """
            SELECT count(*) AS number FROM pg_stat_activity
            WHERE state = 'idle in transaction' AND backend_xid IS NOT NULL AND application_name = 'psql'
            """
        while try await scratch.number(open) == 0 { try await Task.sleep(for: .milliseconds(50)) }
        return importer
    }

    private static func show(_ name: String, _ delays: [Double]) {
        print(title("  \(name)"), ratio(median(delays)), ratio(percentile(0.99, of: delays)), ratio(delays.max() ?? 0))
        fflush(nil)
    }
}
