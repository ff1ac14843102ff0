import Foundation
import Postgres
import Processes
import Queue

/// The time from just before an enqueue, including its commit, to the start of the call in another process. Measured at
/// several rates, and during an import with a very long transaction.
enum WakeUpBenchmark {
    /// Each session enqueues a job about every `gap`.
    private struct Load {
        let name: String
        var sessions = 1
        let gap: Duration
        /// The gap varies between these factors.
        var spread = 0.5...1.5
        let jobs: Int
    }

    /// The times at which an enqueue was sent and acknowledged.
    private typealias Enqueue = (sent: Int, acknowledged: Int)

    static func run(_ options: Options) async throws {
        let jobs = try options.integer("jobs", 400)
        let calls = try options.integer("calls", 16)
        // The slow rates come first and take most of the time.
        let skipped = try options.integer("skip", 0)
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
            let crew = try await BenchCrew.start(1, callsAtOnce: calls, in: scratch, reporting: true) { line in
                let parts = line.split(separator: " ").compactMap { Int($0) }
                begun.withLock { $0[parts[0]] = parts[1] }
            }
            var last = 0
            for isBesideImport in [false, true] {
                let importer = isBesideImport ? try await beginImport(in: scratch) : nil
                print(
                    title(isBesideImport ? "beside a long import, ms" : "from the enqueue's sending, ms"),
                    "median p99    most   acknowledged, then begun")
                for load in loads.dropFirst(skipped) {
                    let done = try await scratch.finished
                    let start = ContinuousClock.now
                    let sent = try await send(load, after: last, in: scratch)
                    last += load.jobs
                    let sending = seconds(since: start)
                    _ = try await scratch.wait(until: done + load.jobs)
                    show(load, sent, begun.withLock { $0 }, in: sending)
                }
                importer?.closeLifeline()
                _ = await importer?.exit()
            }
            await crew.stop()
        }
    }

    private static func send(_ load: Load, after last: Int, in scratch: Scratch) async throws -> [Int: Enqueue] {
        try await withThrowingTaskGroup(of: [Int: Enqueue].self) { group in
            for session in 0..<load.sessions {
                group.addTask {
                    var sent: [Int: Enqueue] = [:]
                    var next = ContinuousClock.now
                    for subject in stride(from: last + 1 + session, through: last + load.jobs, by: load.sessions) {
                        next += load.gap * Double.random(in: load.spread)
                        try await Task.sleep(until: next, tolerance: .zero)
                        let sentAt = monotonicNanoseconds()
                        _ = try await scratch.database.run { database in
                            try JobQueue().enqueue([subject], in: Scratch.lane, on: database).count
                        }
                        sent[subject] = (sentAt, monotonicNanoseconds())
                    }
                    return sent
                }
            }
            return try await group.reduce(into: [:]) { all, sent in all.merge(sent) { first, _ in first } }
        }
    }

    /// A transaction that enqueues and stays open until its lifeline breaks, which rolls it back.
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

    private static func show(_ load: Load, _ sent: [Int: Enqueue], _ begun: [Int: Int], in seconds: Double) {
        let delays = sent.map { Double((begun[$0.key] ?? 0) - $0.value.sent) / 1e6 }
        let enqueues = sent.values.map { Double($0.acknowledged - $0.sent) / 1e6 }
        let pickUps = sent.map { Double((begun[$0.key] ?? 0) - $0.value.acknowledged) / 1e6 }
        print(
            title("  \(load.name)"), ratio(median(delays)), ratio(percentile(0.99, of: delays)),
            ratio(delays.max() ?? 0), ratio(median(enqueues)), ratio(median(pickUps)),
            "\(Int(Double(sent.count) / seconds))/s")
        fflush(nil)
    }
}
